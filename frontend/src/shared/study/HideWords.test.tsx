import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { HideWords } from '@/shared/study/HideWords';

const WORDS = 'I wished to live deliberately.';

function open(blanks?: { start: number; end: number }[]) {
  const onSave = vi.fn();
  render(<HideWords words={WORDS} {...(blanks && { blanks })} onSave={onSave} />);
  return onSave;
}

const word = (name: string) => screen.getByRole('button', { name });
const pressed = () => screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent);
const save = () => userEvent.click(screen.getByRole('button', { name: 'Add to review' }));

describe('hiding words of a highlight (study.card-questions)', () => {
  it('offers the longest word first', async () => {
    const onSave = open();
    expect(pressed()).toEqual(['deliberately']);
    expect(screen.getByRole('toolbar', { name: 'Words to hide' })).toHaveTextContent(WORDS);
    await save();
    expect(onSave).toHaveBeenCalledWith([{ start: 17, end: 29 }]);
  });

  it('begins with the words that are hidden', () => {
    open([{ start: 2, end: 8 }]);
    expect(pressed()).toEqual(['wished']);
  });

  it('hides several words, in their order', async () => {
    const onSave = open();
    await userEvent.click(word('wished'));
    await save();
    expect(onSave).toHaveBeenCalledWith([
      { start: 2, end: 8 },
      { start: 17, end: 29 },
    ]);
  });

  it('asks for a word to hide, and for one that is left', async () => {
    const onSave = open();
    await userEvent.click(word('deliberately'));
    await save();
    expect(screen.getByRole('alert')).toHaveTextContent('Please choose the words to hide.');
    for (const name of ['I', 'wished', 'to', 'live', 'deliberately']) await userEvent.click(word(name));
    expect(screen.queryByRole('alert')).toBeNull();
    await save();
    expect(screen.getByRole('alert')).toHaveTextContent('Please leave at least one word.');
    expect(onSave).not.toHaveBeenCalled();
  });

  it('is one stop of the Tab key, with arrow keys from word to word', async () => {
    open();
    await userEvent.tab();
    expect(word('deliberately')).toHaveFocus();
    await userEvent.keyboard('{ArrowLeft}');
    expect(word('live')).toHaveFocus();
    await userEvent.keyboard(' ');
    expect(pressed()).toEqual(['live', 'deliberately']);
    await userEvent.keyboard('{Home}{ArrowLeft}');
    expect(word('I')).toHaveFocus();
    await userEvent.keyboard('{End}{ArrowRight}');
    expect(word('deliberately')).toHaveFocus();
    await userEvent.tab();
    expect(screen.getByRole('button', { name: 'Add to review' })).toHaveFocus();
  });
});
