import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import RichText from '@/ui/records/RichText';
import type { PictureUpload } from '@/ui/records/PictureDialog';
import { plainText } from '@/ui/records/plainText';

const hut = new File(['x'], 'hut.png', { type: 'image/png' });
const STORED = '/media/pictures/text-1a.jpg';

let html: string | null;
let sent: string[];
let submitted: number;
let fails: boolean;

const pictures: PictureUpload = {
  accept: 'image/png',
  limits: 'PNG',
  upload: ({ name }) => {
    sent.push(name);
    return fails ? Promise.reject(new Error('Broken off.')) : Promise.resolve({ url: STORED, width: 640, height: 480 });
  },
  failureText: (error) => (error as Error).message,
};

function open(value: string, withPictures = true) {
  render(
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submitted += 1;
      }}
    >
      <RichText label="Body" name="body" value={value} onChange={(next) => (html = next)} {...(withPictures && { pictures })} />
    </form>,
  );
}

const paste = (data: Partial<Record<string, string>>, files: File[]) =>
  fireEvent.paste(screen.getByRole('textbox', { name: 'Body' }), { clipboardData: { getData: (type: string) => data[type] ?? '', files } });

beforeAll(() => {
  // jsdom has no layout: the editor scrolls to what was added.
  const rectangle = new DOMRect();
  Object.assign(Range.prototype, { getBoundingClientRect: () => rectangle, getClientRects: () => [rectangle] });
});
beforeEach(() => {
  html = null;
  sent = [];
  submitted = 0;
  fails = false;
});

describe('pictures of a text (catalogue.text-pictures)', () => {
  it('are added with what they show, and are what the server keeps', async () => {
    open('<p>One.</p>');
    await userEvent.click(screen.getByRole('button', { name: 'Picture' }));
    const dialog = screen.getByRole('dialog', { name: 'Add a picture' });
    const add = screen.getByRole('button', { name: 'Add the picture' });
    await userEvent.click(add);
    expect(dialog).toHaveTextContent('Please specify Picture.');
    await userEvent.upload(screen.getByLabelText('Picture', { selector: 'input' }), hut);
    expect(await screen.findByRole('img', { name: 'Preview' })).toHaveAttribute('src', expect.stringContaining('data:image/png'));
    await userEvent.click(add);
    expect(dialog).toHaveTextContent('Please describe the picture, or say that it is only decoration.');
    expect(screen.getByLabelText('Description')).toHaveFocus();
    expect(sent).toEqual([]);
    fails = true;
    await userEvent.type(screen.getByLabelText('Description'), ' A hut & a pond ');
    await userEvent.click(add);
    expect(await screen.findByText('Broken off.')).toBeVisible();
    fails = false;
    await userEvent.click(add);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(html).toContain(`<img src="${STORED}" alt="A hut &amp; a pond" width="640" height="480" loading="lazy">`);
    expect(html).toContain('<p>One.</p>');
    expect(sent).toEqual(['hut.png', 'hut.png']);
    expect(submitted).toBe(0);
  });

  it('are pasted, and may be only decoration', async () => {
    open('');
    paste({ 'text/html': '<img src="https://elsewhere.example/hut.png">' }, [hut]);
    expect(await screen.findByRole('img', { name: 'Preview' })).toBeVisible();
    await userEvent.click(screen.getByLabelText('It is only decoration'));
    expect(screen.getByLabelText('Description')).toBeDisabled();
    await userEvent.click(screen.getByRole('button', { name: 'Add the picture' }));
    await waitFor(() => expect(html).toBe(`<img src="${STORED}" alt="" width="640" height="480" loading="lazy">`));
  });

  it('are text where a program copies both', () => {
    open('');
    paste({ 'text/html': '<p>One.</p>', 'text/plain': 'One.' }, [hut]);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(html).toBe('<p>One.</p>');
  });

  it('stay when they are copied within texts of the product', () => {
    open('');
    const picture = `<img src="${STORED}" alt="A hut" width="640" height="480" loading="lazy">`;
    paste({ 'text/html': `<p data-pm-slice="0 0 []">One.</p>${picture}`, 'text/plain': 'One.' }, []);
    expect(html).toBe(`<p>One.</p>${picture}`);
  });

  it('are in no text that can’t store them', () => {
    open('<p>One.</p>', false);
    expect(screen.queryByRole('button', { name: 'Picture' })).toBeNull();
    paste({}, [hut]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('are named where versions of a text are compared', () => {
    expect(plainText(`<p>One.</p><img src="${STORED}" alt="A hut"><img src="${STORED}" alt=""><p>Two.</p>`)).toBe('One.\n[Picture: A hut]\n[Picture]\nTwo.');
  });
});
