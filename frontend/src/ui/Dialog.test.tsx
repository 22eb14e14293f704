import { fireEvent, render, screen } from '@testing-library/react';
import { StrictMode } from 'react';
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
    const send = (name: string) => {
      const dialog = screen.getByRole<HTMLDialogElement>('dialog', { name });
      if (type === 'close') dialog.close();
      fireEvent(dialog, new Event(type, { cancelable: true }));
    };
    send('Inner');
    expect(inner).toHaveBeenCalledOnce();
    expect(outer).not.toHaveBeenCalled();
    send('Outer');
    expect(outer).toHaveBeenCalledOnce();
    expect(inner).toHaveBeenCalledOnce();
  });
});

it('stays open when the browser reports late that it was closed and opened again', () => {
  const onClose = vi.fn();
  render(
    <StrictMode>
      <Dialog open title="Question" onClose={onClose}>
        <p>Text</p>
      </Dialog>
    </StrictMode>,
  );
  // React has mounted, unmounted and mounted it; the browser sends the event of the first closing now.
  const dialog = screen.getByRole('dialog', { name: 'Question' });
  fireEvent(dialog, new Event('close'));
  expect(onClose).not.toHaveBeenCalled();
  expect(dialog).toHaveAttribute('open');
});
