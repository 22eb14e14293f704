import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { devicesQuery, invalidateDevices } from '@/features/identity/account/queries';
import type { Device } from '@/features/identity/account/queries';
import { formatAgo } from '@/lib/ago';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Icon } from '@/ui/Icon';
import { toast } from '@/ui/toast';

const ON_A_PHONE = /Android|iPhone|iPad|iOS/;

/** An optimistic update: shown at once, rolled back when the server refuses. */
async function updateDevicesOptimistically(change: (now: Device[]) => Device[]): Promise<() => void> {
  const { queryKey } = devicesQuery();
  await queryClient.cancelQueries({ queryKey });
  const before = queryClient.getQueryData(queryKey);
  if (before) queryClient.setQueryData(queryKey, change(before));
  return () => queryClient.setQueryData(queryKey, before);
}

/** The member's sessions: the current device first, then the most recently seen. */
export function Devices({ devices }: { devices: readonly Device[] }) {
  const [now] = useState(() => Date.now());
  const [asking, setAsking] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const sorted = [...devices].sort((a, b) => Number(b.current) - Number(a.current) || b.lastSeenAt - a.lastSeenAt);
  const others = sorted.filter(({ current }) => !current);

  const end = useMutation({
    mutationFn: ({ id }: Device) => call('DELETE /api/user/sessions/{id}', { path: { id: String(id) } }),
    onMutate: async ({ id }) => {
      const takeBack = await updateDevicesOptimistically((all) => all.filter((one) => one.id !== id));
      list.current?.focus();
      return takeBack;
    },
    onSuccess: (_, { device }) => toast(`${device} was logged out.`),
    onError: (_error, _device, takeBack) => takeBack?.(),
    onSettled: () => invalidateDevices(),
  });
  const endOthers = useMutation({
    mutationFn: () => call('DELETE /api/user/sessions'),
    onSuccess: async () => {
      setAsking(false);
      await invalidateDevices();
      list.current?.focus();
      toast('All your other devices were logged out.');
    },
  });

  return (
    <>
      {end.isError ? <Alert kind="warning">{messageOf(end.error)}</Alert> : null}
      {/* Takes the focus when a row is removed. */}
      <ul className="account__list" aria-label="Your devices" ref={list} tabIndex={-1}>
        {sorted.map((device) => (
          <li key={device.id} className="account__entry">
            <Icon name={ON_A_PHONE.test(device.device) ? 'phone' : 'computer'} />
            <div className="account__entry-text">
              <p className="account__entry-name">
                {device.device} {device.current ? <span className="badge badge--free">This device</span> : null}
              </p>
              <p className="setting__note">{`${device.place}. ${device.current ? 'In use now.' : `Last seen ${formatAgo(device.lastSeenAt, now)}.`}`}</p>
            </div>
            {device.current ? null : (
              <div className="account__entry-actions">
                <Button kind="quiet" aria-label={`Log out ${device.device}, ${device.place}`} onClick={() => end.mutate(device)}>
                  Log out
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 ? (
        <div className="account__after">
          <Button onClick={() => setAsking(true)}>Log out all other devices</Button>
        </div>
      ) : (
        <p className="setting__note account__after">This is your only device.</p>
      )}
      <Dialog open={asking} title="Log out all other devices?" onClose={() => setAsking(false)}>
        <div className="form">
          <p>Anyone using them has to log in again. You stay logged in here.</p>
          {endOthers.isError ? <Alert kind="warning">{messageOf(endOthers.error)}</Alert> : null}
          <div className="setting__buttons">
            <Button kind="primary" busy={endOthers.isPending} busyText="Logging out" onClick={() => endOthers.mutate()}>
              Log them out
            </Button>
            <Button kind="quiet" data-first-focus onClick={() => setAsking(false)}>
              Cancel
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
