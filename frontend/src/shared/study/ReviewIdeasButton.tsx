import { useEffect, useRef, useState } from 'react';
import { queryClient } from '@/api/queryClient';
import { plural } from '@/lib/format';
import { paths } from '@/paths';
import { accountQuery, currentMember } from '@/shared/session/account';
import type { IdeasBook } from '@/shared/study/addCards';
import { Button, LinkButton } from '@/ui/Button';
import { toast } from '@/ui/toast';

/** Whether a book's text has titled sections: each is an idea to ask for. */
export const hasIdeas = ({ body }: Pick<IdeasBook, 'body'>): boolean => /<h3[\s>]/i.test(body ?? '');

interface Props {
  /** One that `hasIdeas`. */
  book: IdeasBook;
  large?: boolean;
}

/** Adds the key ideas of a book to the member's review (study.review-cards). The store is loaded by the press: few readers need it. */
export function ReviewIdeasButton({ book, large = false }: Props) {
  const [state, setState] = useState<'ready' | 'adding' | 'added'>('ready');
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // The pressed button is gone.
    if (state === 'added' && document.activeElement === document.body) link.current?.focus();
  }, [state]);
  const add = async () => {
    setState('adding');
    try {
      const { addIdeas, removeIdeas } = await import(/* webpackChunkName: "add-cards" */ '@/shared/study/addCards');
      const member = currentMember() ?? (await queryClient.query(accountQuery())).id;
      const cards = await addIdeas(member, book);
      setState('added');
      if (cards.length === 0) {
        toast('Its key ideas are in your review already.');
        return;
      }
      toast(`Added ${plural(cards.length, 'card')}.`, {
        label: 'Undo',
        run: () => {
          setState('ready');
          void removeIdeas(cards);
        },
      });
    } catch {
      setState('ready');
      toast('The cards could not be added. Check your connection and try again.');
    }
  };
  if (state === 'added') {
    return (
      <LinkButton ref={link} large={large} to={paths.review}>
        Open your review
      </LinkButton>
    );
  }
  return (
    <Button large={large} busy={state === 'adding'} busyText="Adding…" onClick={() => void add()}>
      Review its key ideas
    </Button>
  );
}
