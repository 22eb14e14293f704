import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { expect, it } from 'vitest';
import { LoadMore } from '@/ui/LoadMore';

let arrive: (count: number, last?: boolean) => void;
let fail: () => void;

/** A list whose next page is loaded when the test says so. */
function List() {
  const [count, setCount] = useState(2);
  const [state, setState] = useState({ hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: false });
  useEffect(() => {
    arrive = (more, last = false) => {
      setCount((there) => there + more);
      setState({ hasNextPage: !last, isFetchingNextPage: false, isFetchNextPageError: false });
    };
    fail = () => setState({ hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: true });
  }, []);
  const fetchNextPage = () => {
    setState({ ...state, isFetchingNextPage: true });
    return Promise.resolve();
  };
  return (
    <main>
      <input aria-label="Elsewhere" />
      <ul>
        {Array.from({ length: count }, (_, i) => (
          <li key={i}>
            <a href={`#${i}`}>{`Entry ${i + 1}`}</a>
            <ul>
              <li>a part of it</li>
            </ul>
          </li>
        ))}
      </ul>
      <LoadMore list={{ ...state, error: new Error('Broken.'), fetchNextPage }} />
    </main>
  );
}

const press = async () => {
  await userEvent.tab();
  screen.getByRole('button').focus();
  await userEvent.keyboard('{Enter}');
};

it('focuses the first loaded entry and says how many were loaded', async () => {
  render(<List />);
  await press();
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
  act(() => arrive(20));
  expect(screen.getByRole('link', { name: 'Entry 3' })).toHaveFocus();
  expect(screen.getByRole('status')).toHaveTextContent('20 more loaded.');
});

it('does so too when the last page removes the button', async () => {
  render(<List />);
  await press();
  act(() => arrive(1, true));
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Entry 3' })).toHaveFocus();
  expect(screen.getByRole('status')).toHaveTextContent('1 more loaded.');
});

it('keeps the focus of a member who has moved on', async () => {
  render(<List />);
  await press();
  screen.getByLabelText('Elsewhere').focus();
  act(() => arrive(20));
  expect(screen.getByLabelText('Elsewhere')).toHaveFocus();
  expect(screen.getByRole('status')).toHaveTextContent('20 more loaded.');
});

it('stays at the button when nothing was loaded', async () => {
  render(<List />);
  await press();
  act(() => fail());
  expect(screen.getByRole('button')).toHaveFocus();
  expect(screen.getByRole('alert')).toBeVisible();
});
