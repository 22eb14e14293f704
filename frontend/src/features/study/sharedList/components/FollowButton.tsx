import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { messageOf } from '@/api/errors';
import { focusReturned } from '@/features/study/focusReturned';
import { followAgainError, setFollowed } from '@/features/study/sharedList/queries';
import type { SharedList } from '@/features/study/sharedList/queries';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { toast } from '@/ui/toast';

interface Props {
  list: Pick<SharedList, 'slug' | 'name' | 'isFollowed'>;
  /** Called with the reason when a change was refused, and with null at the next try. */
  onFailure: (reason: string | null) => void;
}

/** Follows a list, or stops following it (study.followed-lists). */
export function FollowButton({ list: { slug, name, isFollowed }, onFailure }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const change = useMutation({
    mutationFn: (follow: boolean) => setFollowed(slug, follow),
    onMutate: () => onFailure(null),
    onSuccess: (_, follow) => {
      if (follow) toast(`“${name}” is among your lists now.`);
      else toast(`You no longer follow “${name}”.`, { label: 'Undo', run: undo });
    },
    onError: (error) => onFailure(messageOf(error)),
  });
  const undo = () => {
    focusReturned(() => button.current);
    void followAgain(slug, name);
  };
  return (
    <Button
      ref={button}
      kind={isFollowed ? 'secondary' : 'primary'}
      aria-pressed={isFollowed}
      busy={change.isPending}
      onClick={() => change.mutate(!isFollowed)}
    >
      {change.isPending || !isFollowed ? null : <Icon name="check" />}
      {isFollowed ? 'Following' : 'Follow this list'}
    </Button>
  );
}

/** The undo, which may come after the page was left: a failure is said where the undo was offered. */
async function followAgain(slug: string, name: string): Promise<void> {
  try {
    await setFollowed(slug, true);
  } catch (error) {
    toast(followAgainError(name, error));
  }
}
