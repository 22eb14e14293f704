import { act, render, screen, waitFor } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { describe, expect, it } from 'vitest';
import { useFilterParams } from '@/lib/useFilterParams';

type Change = ReturnType<typeof useFilterParams>[1];

let change: Change;
let changeByOther: Change;
function Field({ onRender }: { onRender: (change: Change) => void }) {
  const [params, changeParams] = useFilterParams();
  useLayoutEffect(() => {
    onRender(changeParams);
  });
  return <p>{`shown: ${params.toString()}`}</p>;
}
const Page = () => (
  <>
    <Field onRender={(now) => (change = now)} />
    <div hidden>
      <Field onRender={(now) => (changeByOther = now)} />
    </div>
  </>
);

const open = () => {
  const router = createMemoryRouter([{ path: '/', Component: Page, loader: () => Promise.resolve(null) }], { initialEntries: ['/?q=woods'] });
  render(<RouterProvider router={router} />);
  return router;
};

/** Waits until both fields show the parameters. */
const shown = (params: string) => waitFor(() => expect(screen.getAllByText(`shown: ${params}`)).toHaveLength(2));

describe('the filters in the URL', () => {
  it('keep both of two changes, of which the second comes before the first is rendered', async () => {
    const router = open();
    await shown('q=woods');
    const early = change;
    act(() => early((params) => params.delete('q')));
    await waitFor(() => expect(router.state.location.search).toBe(''));
    act(() => early((params) => params.set('book', 'walden')));
    act(() => early((params) => params.set('tag', 'nature')));
    await shown('book=walden&tag=nature');
    expect(router.state.location.search).toBe('?book=walden&tag=nature');
  });

  it('keep what two fields change, one before the change of the other is rendered', async () => {
    const router = open();
    await shown('q=woods');
    act(() => {
      change((params) => params.set('kind', 'builds-on'));
      changeByOther((params) => params.set('state', 'draft'));
    });
    await shown('q=woods&kind=builds-on&state=draft');
    act(() => change((params) => params.delete('q')));
    act(() => changeByOther((params) => params.set('page', '2')));
    await shown('kind=builds-on&state=draft&page=2');
    expect(router.state.location.search).toBe('?kind=builds-on&state=draft&page=2');
  });

  it('follow a link, and are changed from there', async () => {
    const router = open();
    await shown('q=woods');
    act(() => change((params) => params.set('book', 'walden')));
    await shown('q=woods&book=walden');
    await act(() => router.navigate('/?tag=nature'));
    await shown('tag=nature');
    act(() => change((params) => params.set('color', 'honey')));
    await shown('tag=nature&color=honey');
  });
});
