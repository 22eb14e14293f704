import { useMutation } from '@tanstack/react-query';
import { callFile } from '@/api/client';
import { messageOf } from '@/api/errors';
import { countsOf } from '@/features/challenge/quizzes/quiz';
import type { Quiz, QuizResult } from '@/features/challenge/quizzes/quiz';
import { saveFile } from '@/lib/saveFile';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { toast } from '@/ui/toast';

/** Shares the result as a picture rendered by the server: with the system's share sheet if it accepts files, else by download. */
export function SharePicture({ quiz, result }: { quiz: Quiz; result: QuizResult }) {
  const share = useMutation({
    mutationFn: async () => {
      const { blob } = await callFile('GET /api/quiz/{kind}/picture', { path: { kind: quiz.kind }, query: { counts: countsOf(result) } });
      const file = new File([blob], `my-${quiz.kind}.png`, { type: 'image/png' });
      const data = { files: [file], title: quiz.title };
      if (typeof navigator.canShare === 'function' && navigator.canShare(data)) {
        await navigator.share(data);
        return;
      }
      saveFile(blob, file.name);
      toast('The picture is saved.');
    },
    onError: (error) => {
      // Closing the share sheet is not an error.
      if (error.name !== 'AbortError') toast(messageOf(error));
    },
  });
  return (
    <Button busy={share.isPending} busyText="Drawing" onClick={() => share.mutate()}>
      <Icon name="pictures" />
      Share as a picture
    </Button>
  );
}
