import { act, render, screen, waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { describe, expect, it } from 'vitest';
import { useFilterParams } from '@/lib/useFilterParams';

type Change = ReturnType<typeof useFilterParams>[1];

let change: Change;
function Page() {
  const [params, changeParams] = useFilterParams();
  useEffect(() => {
    change = changeParams;
  });
  return <p>{`shown: ${params.toString()}`}</p>;
}

const open = () => {
  const router = createMemoryRouter([{ path: '/', Component: Page, loader: () => Promise.resolve(null) }], { initialEntries: ['/?q=woods'] });
  render(<RouterProvider router={router} />);
  return router;
};

describe('the filters in the URL', () => {
  it('keep both of two changes, of which the second comes before the first is rendered', async () => {
    const router = open();
    await screen.findByText('shown: q=woods');
    const early = change;
    act(() => early((params) => params.delete('q')));
    await waitFor(() => expect(router.state.location.search).toBe(''));
    act(() => early((params) => params.set('book', 'walden')));
    act(() => early((params) => params.set('tag', 'nature')));
    expect(await screen.findByText('shown: book=walden&tag=nature')).toBeVisible();
    expect(router.state.location.search).toBe('?book=walden&tag=nature');
  });

  it('follow a link, and are changed from there', async () => {
    const router = open();
    await screen.findByText('shown: q=woods');
    act(() => change((params) => params.set('book', 'walden')));
    await screen.findByText('shown: q=woods&book=walden');
    await act(() => router.navigate('/?tag=nature'));
    await screen.findByText('shown: tag=nature');
    act(() => change((params) => params.set('color', 'honey')));
    expect(await screen.findByText('shown: tag=nature&color=honey')).toBeVisible();
  });
});
