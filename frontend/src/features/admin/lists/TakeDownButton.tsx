import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { messageOf } from '@/api/errors';
import { setTakenDown } from '@/features/admin/lists/queries';
import type { SharedList } from '@/features/admin/lists/queries';
import { readAgain } from '@/features/admin/paged';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toast';

interface Props {
  list: SharedList;
  /** Asks for confirmation. */
  onTakeDown: () => void;
}

/** Takes a list down, or allows it again. It is one button, which keeps the focus when the list is taken down. */
export function TakeDownButton({ list, onTakeDown }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const allow = useMutation({
    mutationFn: () => setTakenDown(list, false),
    onSuccess: () => {
      toast(`“${list.name}” can be shared again.`);
      // A list that is neither public nor taken down leaves the table, and the button with it.
      if (document.activeElement === button.current) document.querySelector<HTMLElement>('h1[tabindex]')?.focus();
      return readAgain('lists');
    },
    onError: (error) => toast(`“${list.name}” was not changed. ${messageOf(error)}`),
  });
  return (
    <Button
      ref={button}
      kind="quiet"
      busy={allow.isPending}
      aria-label={list.isTakenDown ? `Allow ${list.name} again` : `Take down ${list.name}`}
      onClick={() => (list.isTakenDown ? allow.mutate() : onTakeDown())}
    >
      {list.isTakenDown ? 'Allow again' : 'Take down…'}
    </Button>
  );
}
