import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { HttpResponse } from 'msw';
import { session } from '@/api/session';
import { Component, loader } from '@/features/catalogue/visuals/pages/InfographicsPage';
import { paths } from '@/paths';
import { sampleSettings } from '@test/checkout';
import { openPages } from '@test/identity';
import { sampleBook } from '@test/samples';
import { failure, on, server } from '@test/server';

const saved = vi.hoisted(() => vi.fn());
vi.mock('@/lib/saveFile', () => ({ saveFile: saved, saveAddress: saved }));

const open = (isPaid: boolean) => {
  server.use(
    on('GET /api/infographics', () => ({ isPaid, infographics: [{ book: sampleBook(1), count: 7, image: '/media/sheet.png' }], total: 26, next: null })),
    on('GET /api/charge/settings', () => sampleSettings()),
  );
  openPages([{ path: '/infographics', Component, loader }], paths.infographics);
};

beforeEach(() => saved.mockReset());

describe('the infographics in one file', () => {
  it('are downloaded by a member with a plan', async () => {
    session.start('token');
    open(true);
    server.use(
      on(
        'GET /api/infographics/download',
        () => new HttpResponse('zip', { headers: { 'Content-Type': 'application/zip', 'Content-Disposition': 'attachment; filename="infographics.zip"' } }),
      ),
    );
    await userEvent.click(await screen.findByRole('button', { name: 'The newest in one file' }));
    await vi.waitFor(() => expect(saved).toHaveBeenCalledExactlyOnceWith(expect.any(Blob), 'infographics.zip'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('are those that a member without a plan bought, who is told when there are none', async () => {
    session.start('token');
    open(false);
    server.use(on('GET /api/infographics/download', () => failure(403, 'upgrade_required', 'Please upgrade to download infographics.')));
    await userEvent.click(await screen.findByRole('button', { name: 'What you bought, in one file' }));
    expect(await screen.findByText('You have not bought infographics yet.')).toBeVisible();
    expect(saved).not.toHaveBeenCalled();
  });

  it('say why they could not be downloaded', async () => {
    session.start('token');
    open(true);
    server.use(on('GET /api/infographics/download', () => failure(503, 'busy', 'Please try again in a moment.')));
    await userEvent.click(await screen.findByRole('button', { name: 'The newest in one file' }));
    expect(await screen.findByText('The infographics could not be downloaded. Please try again in a moment.')).toBeVisible();
  });

  it('are not offered to a visitor', async () => {
    open(false);
    expect(await screen.findByRole('heading', { level: 1, name: 'Infographics' })).toBeVisible();
    expect(await screen.findByRole('link', { name: 'See plans' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /in one file$/ })).toBeNull();
  });

  it('are counted, and who may buy them is told that later ones follow', async () => {
    open(false);
    expect(await screen.findByText('A whole book on one sheet: every key idea with its picture, to print or to keep. There are 26 today.')).toBeVisible();
    expect(await screen.findByRole('link', { name: '20 infographics, $10.99' })).toBeVisible();
    expect(screen.getByText('You get the newest ones today and later ones until you have them all. They stay yours when a plan ends.')).toBeVisible();
  });
});
