import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { cachePlan, nextText } from '@/shared/payment/billing';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toast';

/** Turns renewal on again, or ends a pause (billing.cancel-renewal). */
export function ResumeButton({ kind = 'primary', onResumed, children }: { kind?: 'primary' | 'secondary'; onResumed?: () => void; children: ReactNode }) {
  const resume = useMutation({
    mutationFn: () => call('POST /api/charge/resume'),
    onSuccess: async ({ plan }) => {
      await cachePlan(plan);
      toast(`Your plan continues. ${nextText(plan) ?? ''}`.trim());
      onResumed?.();
    },
  });
  return (
    <>
      <Button kind={kind} busy={resume.isPending} busyText="One moment" onClick={() => resume.mutate()}>
        {children}
      </Button>
      {resume.isError ? <Alert kind="warning">{messageOf(resume.error)}</Alert> : null}
    </>
  );
}
