import { useState } from 'react';
import type { ComponentProps } from 'react';
import type { BookCard } from '@/api/types';
import type { AddToList } from '@/shared/study/lists/AddToList';
import { Button } from '@/ui/Button';
import { ChunkLoadError } from '@/ui/ChunkLoadError';
import { Dialog } from '@/ui/Dialog';
import { Icon } from '@/ui/Icon';
import { chunkOf, useChunk } from '@/ui/chunk';

/** The dialog, with the store: it is loaded when it is opened. */
const dialogChunk = chunkOf<{ AddToList: typeof AddToList }>(() => import(/* webpackChunkName: "add-to-list" */ '@/shared/study/lists/AddToList'), {
  AddToList: ({ onClose }) => (
    <Dialog open onClose={onClose} title="Add to list">
      <ChunkLoadError />
    </Dialog>
  ),
});

type Props = { book: Pick<BookCard, 'id' | 'subid' | 'title' | 'author' | 'image' | 'categories'> } & Omit<ComponentProps<typeof Button>, 'children'>;

/** Puts a book on lists of the member (study.list-pages). */
export function AddToListButton({ book, ...look }: Props) {
  const [isOpen, setOpen] = useState(false);
  const dialog = useChunk(dialogChunk, isOpen);
  const isLoading = isOpen && !dialog;
  return (
    <>
      <Button {...look} busy={isLoading} onClick={() => setOpen(true)}>
        {isLoading ? null : <Icon name="lines" />}
        Add to list
      </Button>
      {isOpen && dialog ? <dialog.AddToList book={book} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
