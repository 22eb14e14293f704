import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import type { Book } from '@/api/types';
import { OpenBook } from '@/features/site/components/OpenBook';
import { sampleBook } from '@test/samples';

it('calls a first section without a title an introduction, a picture alone too', async () => {
  const body = '<img src="/a.png" alt="A cabin"><h3>One</h3><p>Text.</p>';
  render(
    <MemoryRouter>
      <OpenBook book={{ ...sampleBook(1), body, truncatedBody: null } as Book} />
    </MemoryRouter>,
  );
  const entries = within(screen.getByRole('list')).getAllByRole('button');
  expect(entries.map(({ textContent }) => textContent)).toEqual(['1Introduction', '2One']);
  expect(screen.getByRole('heading', { level: 3, name: 'Introduction' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Next idea' }));
  expect(screen.getByRole('heading', { level: 3, name: 'One' })).toBeVisible();
});
