import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import type { ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { Button } from '@/ui/Button';
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

describe('the focus of a dialog that opens', () => {
  const open = (children: ReactNode) =>
    render(
      <Dialog open title="Question" onClose={() => undefined}>
        <p>Text</p>
        {children}
      </Dialog>,
    );

  it('is on its first field', () => {
    open(
      <>
        <button type="button">Before</button>
        <input type="hidden" name="hidden" />
        <input aria-label="Name" />
        <select aria-label="Kind" />
      </>,
    );
    expect(screen.getByLabelText('Name')).toHaveFocus();
  });

  it('is on the chosen one of its radio buttons', () => {
    open(
      <>
        <input type="radio" name="side" aria-label="Mine" />
        <input type="radio" name="side" aria-label="Theirs" defaultChecked />
      </>,
    );
    expect(screen.getByLabelText('Theirs')).toHaveFocus();
  });

  it('is on the first action that does no harm', () => {
    open(
      <>
        <Button kind="harm">Delete</Button>
        <Button>Keep</Button>
      </>,
    );
    expect(screen.getByRole('button', { name: 'Keep' })).toHaveFocus();
  });

  it('is on the action that is marked for it', () => {
    open(
      <>
        <Button kind="primary">Sign them out</Button>
        <Button data-first-focus>Cancel</Button>
      </>,
    );
    expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  });

  it('passes over what can’t take it, and what no person fills in', () => {
    open(
      <>
        <input aria-label="Disabled" disabled />
        <input aria-label="Trap" tabIndex={-1} />
        <input aria-label="Name" />
      </>,
    );
    expect(screen.getByLabelText('Name')).toHaveFocus();
  });

  it('goes to content that arrives later, and to what replaces the focused element (site.dialog-focus)', async () => {
    const dialog = (children: ReactNode) => (
      <Dialog open title="Question" onClose={() => undefined}>
        {children}
      </Dialog>
    );
    const { rerender } = render(dialog(<p>Loading</p>));
    expect(screen.getByRole('heading', { name: 'Question' })).toHaveFocus();
    rerender(
      dialog(
        <form key="first">
          <input aria-label="Password" />
          <Button type="submit">Continue</Button>
        </form>,
      ),
    );
    await waitFor(() => expect(screen.getByLabelText('Password')).toHaveFocus());
    screen.getByRole('button', { name: 'Continue' }).focus();
    rerender(
      dialog(
        <form key="second">
          <input aria-label="Code" />
        </form>,
      ),
    );
    await waitFor(() => expect(screen.getByLabelText('Code')).toHaveFocus());
  });

  it('stays where it was put while other content changes', async () => {
    const dialog = (text: string) => (
      <Dialog open title="Question" onClose={() => undefined}>
        <input aria-label="Name" />
        <Button>Keep</Button>
        <p key={text}>{text}</p>
      </Dialog>
    );
    const { rerender } = render(dialog('Before'));
    screen.getByRole('button', { name: 'Keep' }).focus();
    rerender(dialog('After'));
    await screen.findByText('After');
    expect(screen.getByRole('button', { name: 'Keep' })).toHaveFocus();
  });

  it('is on its title when nothing else is there, and never on Close', () => {
    open(null);
    expect(screen.getByRole('heading', { name: 'Question' })).toHaveFocus();
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
  // React has mounted, unmounted and mounted the dialog again; the browser now sends the event of the first close.
  const dialog = screen.getByRole('dialog', { name: 'Question' });
  fireEvent(dialog, new Event('close'));
  expect(onClose).not.toHaveBeenCalled();
  expect(dialog).toHaveAttribute('open');
});
