import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { Dialog } from '@/ui/Dialog';

describe('a dialog within a dialog', () => {
  it.each(['cancel', 'close'])('keeps its own %s to itself', (type) => {
    const [outer, inner] = [vi.fn(), vi.fn()];
    render(
      <Dialog open title="Outer" onClose={outer}>
        <Dialog open title="Inner" onClose={inner}>
          <p>Text</p>
        </Dialog>
      </Dialog>,
    );
    fireEvent(screen.getByRole('dialog', { name: 'Inner' }), new Event(type, { cancelable: true }));
    expect(inner).toHaveBeenCalledOnce();
    expect(outer).not.toHaveBeenCalled();
    fireEvent(screen.getByRole('dialog', { name: 'Outer' }), new Event(type, { cancelable: true }));
    expect(outer).toHaveBeenCalledOnce();
    expect(inner).toHaveBeenCalledOnce();
  });
});
