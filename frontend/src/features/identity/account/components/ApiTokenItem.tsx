import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { call } from '@/api/client';
import { ApiError, messageOf } from '@/api/errors';
import { cacheApiTokens, scopeText } from '@/features/identity/account/apiTokens';
import type { ApiToken } from '@/features/identity/account/apiTokens';
import { formatDate, formatDay } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Icon } from '@/ui/Icon';
import { toast } from '@/ui/toast';

/** A token of the list. `onGone` moves the focus once it is deleted. */
export function ApiTokenItem({ token, onGone }: { token: ApiToken; onGone: () => void }) {
  const [asking, setAsking] = useState(false);
  const { id, name, scopes, createdAt, lastUsedOn } = token;
  const remove = useMutation({
    mutationFn: () =>
      call('DELETE /api/user/tokens/{id}', { path: { id: String(id) } }).catch((error: unknown) => {
        // It was deleted on another device.
        if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
      }),
    onSuccess: () => {
      // While the dialog is open, nothing behind it takes the focus.
      flushSync(() => setAsking(false));
      cacheApiTokens((tokens) => tokens.filter((one) => one.id !== id));
      onGone();
      toast(`The token “${name}” was deleted.`);
    },
  });
  const close = () => {
    setAsking(false);
    remove.reset();
  };
  const used = lastUsedOn ? `Last used on ${formatDate(Date.parse(lastUsedOn))}.` : 'Never used.';
  return (
    <li className="account__entry">
      <Icon name="key" />
      <div className="account__entry-text">
        <p className="account__entry-name">{name}</p>
        <p className="setting__note">{scopeText(scopes)}</p>
        <p className="setting__note">{`Created on ${formatDay(createdAt)}. ${used}`}</p>
      </div>
      <div className="account__entry-actions">
        <Button kind="quiet" aria-label={`Delete ${name}`} onClick={() => setAsking(true)}>
          Delete
        </Button>
      </div>
      <Dialog open={asking} title={`Delete “${name}”?`} onClose={close}>
        <div className="form">
          <p>Programs that use this token can no longer read or change anything of yours.</p>
          {remove.isError ? <Alert kind="warning">{messageOf(remove.error)}</Alert> : null}
          <div className="setting__buttons">
            <Button kind="harm" busy={remove.isPending} busyText="Deleting" onClick={() => remove.mutate()}>
              Delete
            </Button>
            <Button kind="quiet" onClick={close}>
              Keep it
            </Button>
          </div>
        </div>
      </Dialog>
    </li>
  );
}
