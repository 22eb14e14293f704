import { render, screen } from '@testing-library/react';
import { useState } from 'react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { chunkOf, useChunk } from '@/ui/chunk';
import type { Chunk } from '@/ui/chunk';

interface Part {
  text: string;
}

const FAILED: Part = { text: 'failed' };

function Reader({ chunk, wanted = true }: { chunk: Chunk<Part>; wanted?: boolean }) {
  const [attempt, setAttempt] = useState(0);
  const part = useChunk(chunk, wanted, attempt);
  return <button onClick={() => setAttempt(attempt + 1)}>{part?.text ?? 'loading'}</button>;
}

it('a chunk is fetched when it is wanted, and once', async () => {
  const fetchChunk = vi.fn(() => Promise.resolve<Part>({ text: 'loaded' }));
  const chunk = chunkOf(fetchChunk, FAILED);
  const { rerender } = render(<Reader chunk={chunk} wanted={false} />);
  expect(fetchChunk).not.toHaveBeenCalled();
  expect(screen.getByText('loading')).toBeVisible();
  rerender(<Reader chunk={chunk} />);
  expect(await screen.findByText('loaded')).toBeVisible();
  await userEvent.click(screen.getByRole('button'));
  expect(screen.getByText('loaded')).toBeVisible();
  expect(fetchChunk).toHaveBeenCalledTimes(1);
});

it('a chunk that was loaded ahead is there in the first render', async () => {
  const chunk = chunkOf(() => Promise.resolve<Part>({ text: 'loaded' }), FAILED);
  await chunk.load();
  render(<Reader chunk={chunk} />);
  expect(screen.getByText('loaded')).toBeVisible();
});

it('a chunk that could not be fetched is replaced, and fetched at the next attempt', async () => {
  const fetchChunk = vi.fn(() => Promise.reject<Part>(new Error('There is no network.')));
  const chunk = chunkOf(fetchChunk, FAILED);
  render(<Reader chunk={chunk} />);
  expect(await screen.findByText('failed')).toBeVisible();
  fetchChunk.mockResolvedValue({ text: 'loaded' });
  await userEvent.click(screen.getByRole('button'));
  expect(await screen.findByText('loaded')).toBeVisible();
  expect(fetchChunk).toHaveBeenCalledTimes(2);
});
