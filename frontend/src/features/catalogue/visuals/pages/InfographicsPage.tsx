import '@/features/catalogue/visuals/visuals.css';
import { call, callFile } from '@/api/client';
import { ApiError, messageOf } from '@/api/errors';
import { useSignedIn } from '@/api/session';
import { checkoutSettingsQuery } from '@/shared/payment/checkout';
import { LATER_ONES, thereAre } from '@/shared/payment/infographics';
import { loadList, useRememberPages } from '@/shared/catalogue/pagedLists';
import { VisualsError } from '@/features/catalogue/visuals/components/VisualsError';
import { PictureCard } from '@/features/catalogue/visuals/components/PictureCard';
import { PicturesSkeleton } from '@/features/catalogue/visuals/components/Pictures';
import { infographicsQuery } from '@/features/catalogue/visuals/queries';
import { formatMoney } from '@/lib/format';
import { saveAddress, saveFile } from '@/lib/saveFile';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths, plansFor, withRedirect } from '@/paths';
import { Link } from 'react-router';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { LoadMore } from '@/ui/LoadMore';
import { EmptyState } from '@/ui/State';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';

export const loader = () => loadList(infographicsQuery());

/** The file formats of an infographic: PDFs for the paper sizes, a picture, a vector drawing. */
const FORMS = [
  { label: 'PDF, A4', query: { format: 'pdf', paper: 'a4' } },
  { label: 'PDF, Letter', query: { format: 'pdf', paper: 'letter' } },
  { label: 'PNG', query: { format: 'png' } },
  { label: 'SVG', query: { format: 'svg' } },
] as const;
type Form = (typeof FORMS)[number];

/** What a plan unlocks here. */
const OFFER = 'With a plan, you can see the key ideas of every book and download its infographic, as a sheet to print or as a picture.';

/** /infographics: the gallery; paid members download (catalogue.infographic-gallery). The server renders the same markup. */
export function Component() {
  useTitle(ROUTES.infographics.title);
  const signedIn = useSignedIn();
  const options = infographicsQuery();
  const list = useInfiniteQuery(options);
  useRememberPages(options.queryKey, list);
  const { data, error, isError, refetch } = list;
  const infographics = data?.pages.flatMap((page) => page.infographics) ?? [];
  const isPaid = data?.pages[0]?.isPaid ?? false;
  const total = data?.pages[0]?.total ?? 0;
  const download = useMutation({
    mutationFn: ({ subid, form }: { subid: string; form: Form }) =>
      call('GET /api/infographics/{id}/download', { path: { id: subid }, query: form.query, waitsForDrawing: true }),
    onSuccess: ({ url }) => saveAddress(url),
  });
  const all = useMutation({
    mutationFn: () => callFile('GET /api/infographics/download'),
    onSuccess: ({ blob, name }) => saveFile(blob, name),
  });
  const failure = download.isError
    ? `The infographic could not be downloaded. ${messageOf(download.error)}`
    : all.isError
      ? isNothingBought(all.error)
        ? 'You have not bought infographics yet.'
        : `The infographics could not be downloaded. ${messageOf(all.error)}`
      : null;
  const busy = (subid: string, form: Form) => download.isPending && download.variables.subid === subid && download.variables.form === form;

  return (
    <div className="page visuals">
      <div className="visuals__head">
        <h1 className="page__title">Infographics</h1>
        <p className="page__lead">{`A whole book on one sheet: every key idea with its picture, to print or to keep.${total > 0 ? ` ${thereAre(total)}` : ''}`}</p>
      </div>
      {data && !isPaid && infographics.length > 0 ? <InfographicsOffer /> : null}
      {data && signedIn && infographics.length > 0 ? (
        <p className="visuals__all">
          <Button busy={all.isPending} busyText="Preparing" onClick={() => all.mutate()}>
            <Icon name="download" />
            {isPaid ? 'The newest in one file' : 'What you bought, in one file'}
          </Button>
        </p>
      ) : null}
      {failure === null ? null : (
        <div className="visuals__failure">
          <Alert kind="harm">{failure}</Alert>
        </div>
      )}
      {!data && !isError ? <PicturesSkeleton className="poster-grid" count={4} label="Loading infographics" /> : null}
      {!data && isError ? <VisualsError error={error} onRetry={() => void refetch()} /> : null}
      {data && infographics.length === 0 ? (
        <EmptyState title="No infographics yet" actions={<LinkButton to={paths.books}>Browse summaries</LinkButton>}>
          <p>The first ones are being drawn. Until then, there are plenty of summaries to read.</p>
        </EmptyState>
      ) : null}
      {infographics.length > 0 ? (
        <ul className="poster-grid">
          {infographics.map((infographic, i) => (
            <li key={infographic.book.id}>
              <PictureCard {...infographic} eager={i < 4} poster offer={isPaid || infographic.book.free ? null : OFFER}>
                {isPaid ? (
                  <div className="picture-card__actions">
                    {FORMS.map((form) => (
                      <Button
                        key={form.label}
                        busy={busy(infographic.book.subid, form)}
                        busyText="Drawing"
                        aria-label={`Download ${infographic.book.title} as ${form.label}`}
                        onClick={() => download.mutate({ subid: infographic.book.subid, form })}
                      >
                        {form.label}
                      </Button>
                    ))}
                  </div>
                ) : null}
              </PictureCard>
            </li>
          ))}
        </ul>
      ) : null}
      <LoadMore list={list} large />
    </div>
  );
}

/** Whether an error means that the member has neither a plan nor a purchase, and so no file. */
const isNothingBought = (error: Error) => error instanceof ApiError && error.code === 'upgrade_required';

/** The collections that are sold without a plan (billing.infographic-options). */
const COLLECTIONS = ['infographics-20', 'infographics-50'];

/** Offers a plan, which unlocks all infographics, or the newest ones alone. */
function InfographicsOffer() {
  const { data } = useQuery(checkoutSettingsQuery());
  const collections = data?.plans.filter(({ id }) => COLLECTIONS.includes(id)) ?? [];
  return (
    <div className="visuals__offer">
      <div>
        <p>With a plan, you can download any of them, as a sheet to print or as a picture.</p>
        {collections.length > 0 ? (
          <p className="visuals__buy">
            {'Or buy the newest to keep: '}
            {collections.map(({ id, name, price }) => (
              <Link key={id} className="link tabular" to={withRedirect(paths.payment(id), paths.infographics)}>
                {`${name}, ${formatMoney(price)}`}
              </Link>
            ))}
          </p>
        ) : null}
        {collections.length > 0 ? <p>{`${LATER_ONES} They stay yours when a plan ends.`}</p> : null}
      </div>
      <LinkButton kind="primary" to={plansFor(paths.infographics)}>
        See plans
      </LinkButton>
    </div>
  );
}
