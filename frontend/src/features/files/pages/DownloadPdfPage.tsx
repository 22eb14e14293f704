import '@/features/files/files.css';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useNavigate, useParams } from 'react-router';
import { callFile } from '@/api/client';
import { ApiError, messageOf } from '@/api/errors';
import { saveFile } from '@/lib/saveFile';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';

/** /download-pdf/{id}/{title}: downloads on load; what the server refuses leads to /try (back-office.md §2, §8). */
export function Component() {
  const { id = '', title = '' } = useParams();
  const navigate = useNavigate();
  useTitle('Download PDF');
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => callFile('GET /api/books/download-pdf/{id}', { path: { id } }),
    onSuccess: ({ blob, name }) => saveFile(blob, name),
  });
  // Given with each try, not with the mutation: it is for whoever still waits on this page.
  const download = useCallback(
    () =>
      mutate(undefined, {
        onError: (failure) => {
          // Without an answer nobody has refused anything: it can be tried again.
          if (failure instanceof ApiError && failure.status !== 0) void navigate(paths.try, { replace: true });
        },
      }),
    [mutate, navigate],
  );
  // React mounts twice while developing; the file comes once.
  const begun = useRef<string | null>(null);
  useEffect(() => {
    if (begun.current === id) return;
    begun.current = id;
    download();
  }, [id, download]);

  return (
    <div className="page page--narrow file">
      <span className={`file__sheet${isPending ? ' file__sheet--busy' : ''}`} aria-hidden="true">
        <Icon name={isSuccess ? 'check' : 'download'} />
      </span>
      <h1 className="page__title">{title === '' ? 'Your PDF' : title}</h1>
      <p className="page__lead" role="status">
        {isSuccess ? 'Your PDF is in your downloads.' : error ? 'The PDF did not come.' : 'Your PDF is being prepared. The download starts by itself.'}
      </p>
      {error ? <Alert kind="warning">{messageOf(error)}</Alert> : null}
      <div className="file__actions">
        {isSuccess || error ? <Button onClick={download}>{error ? 'Try again' : 'Download again'}</Button> : null}
        <LinkButton kind="quiet" to={paths.book(id)}>
          Back to the summary
        </LinkButton>
      </div>
    </div>
  );
}
