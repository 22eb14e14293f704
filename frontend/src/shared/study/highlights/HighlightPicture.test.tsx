import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { saveFile } from '@/lib/saveFile';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { HighlightPicture } from '@/shared/study/highlights/HighlightPicture';
import { HighlightSheet } from '@/shared/study/highlights/HighlightSheet';
import { UNSENT_FLAG } from '@/shared/study/studyFlags';
import { studyStore, useStudy } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';
import { failure, on, server } from '@test/server';
import { sampleHighlight } from '@test/study';

vi.mock('@/lib/saveFile', () => ({ saveFile: vi.fn() }));
vi.mock('@/shared/study/studySync', () => ({ syncStudy: vi.fn() }));

const ADA = 7;
const ALT = '“woods” From Walden by Henry David Thoreau.';
let asked: string[];
let answer: () => Response | Promise<Response>;

const png = () => new Response(new Blob(['png'], { type: 'image/png' }), { headers: { 'Content-Type': 'image/png' } });

function Picture() {
  const [isOpen, setOpen] = useState(true);
  return (
    <QueryClientProvider client={queryClient}>
      {isOpen ? <HighlightPicture highlight={sampleHighlight()} onClose={() => setOpen(false)} /> : null}
    </QueryClientProvider>
  );
}

function Sheet() {
  const record = useStudy((now) => now.highlights.get(7));
  return (
    <QueryClientProvider client={queryClient}>
      {record ? <HighlightSheet record={record} isChanged={false} isNoting={false} onClose={() => undefined} onDelete={() => undefined} /> : null}
    </QueryClientProvider>
  );
}

const image = () => screen.findByRole('img', { name: ALT });
const buttons = () =>
  within(screen.getByRole('dialog'))
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
    .filter((name) => name !== '');
const beOffline = (isOffline: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(!isOffline);

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  session.start('token');
  copiesOwner.set(ADA);
  asked = [];
  answer = png;
  vi.mocked(syncStudy).mockReset().mockResolvedValue();
  vi.mocked(saveFile).mockReset();
  server.use(
    on('GET /api/study/highlights/{id}/picture', ({ request }) => {
      asked.push(new URL(request.url).pathname);
      return answer();
    }),
  );
  await studyStore.removeMember(ADA);
  await studyStore.load(ADA);
  await studyStore.receive(ADA, { highlights: [sampleHighlight()], cards: [], cursor: 1, isEnd: true });
});
afterEach(() => {
  session.end('left');
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'canShare');
  Reflect.deleteProperty(navigator, 'share');
});

describe('a highlight as a picture', () => {
  it('is a skeleton while it is made, then the picture with the words, the title and the author as its text', async () => {
    let release = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (release = resolve));
    answer = () => waiting.then(png);
    render(<Picture />);
    expect(screen.getByRole('dialog', { name: 'Share as a picture' })).toBeVisible();
    expect(screen.getByText('The picture is being made')).toBeInTheDocument();
    release();
    expect(await image()).toHaveAttribute('src', expect.stringMatching(/^data:image\/png/));
    expect(screen.queryByText('The picture is being made')).toBeNull();
    expect(asked).toEqual(['/api/study/highlights/7/picture']);
    expect(syncStudy).not.toHaveBeenCalled();
  });

  it('is downloaded under the name of its source, and offers nothing that the browser can’t do', async () => {
    render(<Picture />);
    await image();
    expect(buttons()).toEqual(['Download']);
    await userEvent.click(screen.getByRole('button', { name: 'Download' }));
    expect(saveFile).toHaveBeenCalledWith(expect.objectContaining({ type: 'image/png' }), 'highlight-walden.png');
    expect(screen.getByText('Downloaded.')).toHaveAttribute('role', 'status');
  });

  it('is copied where the clipboard takes pictures, and says so', async () => {
    const user = userEvent.setup();
    const write = vi.spyOn(navigator.clipboard, 'write').mockResolvedValue();
    vi.stubGlobal(
      'ClipboardItem',
      class {
        static supports = () => true;
        types: string[];
        constructor(data: object) {
          this.types = Object.keys(data);
        }
      },
    );
    render(<Picture />);
    await image();
    expect(buttons()).toEqual(['Download', 'Copy picture']);
    await user.click(screen.getByRole('button', { name: 'Copy picture' }));
    expect(write.mock.calls[0]?.[0][0]?.types).toEqual(['image/png']);
    expect(await screen.findByText('Copied.')).toBeVisible();
    write.mockRejectedValue(new DOMException('No.', 'NotAllowedError'));
    await user.click(screen.getByRole('button', { name: 'Copy picture' }));
    expect(await screen.findByText('The picture could not be copied. You can download it instead.')).toBeVisible();
  });

  it('is shared where the system takes files; closing its share sheet is no error', async () => {
    const share = vi.fn<(data: ShareData) => Promise<void>>().mockResolvedValue();
    Object.defineProperties(navigator, {
      canShare: { value: ({ files }: ShareData) => files?.[0]?.type === 'image/png', configurable: true },
      share: { value: share, configurable: true },
    });
    render(<Picture />);
    await image();
    expect(buttons()).toEqual(['Share', 'Download']);
    await userEvent.click(screen.getByRole('button', { name: 'Share' }));
    expect(share.mock.calls[0]?.[0].files?.[0]?.name).toBe('highlight-walden.png');
    share.mockRejectedValue(new DOMException('Closed.', 'AbortError'));
    await userEvent.click(screen.getByRole('button', { name: 'Share' }));
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
    share.mockRejectedValue(new DOMException('No.', 'NotAllowedError'));
    await userEvent.click(screen.getByRole('button', { name: 'Share' }));
    expect(await screen.findByText('The picture could not be shared. You can download it instead.')).toBeVisible();
  });

  it('says what happened when it could not be made, and tries again', async () => {
    answer = () => failure(429, 'too_many_tries', 'Too many pictures. Please wait a while.');
    render(<Picture />);
    expect(await screen.findByText('Too many pictures. Please wait a while.')).toBeVisible();
    answer = png;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await image()).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('sends what is unsent first', async () => {
    localStorage.setItem(UNSENT_FLAG, '1');
    let release = (): void => undefined;
    vi.mocked(syncStudy).mockReturnValue(new Promise<void>((resolve) => (release = resolve)));
    render(<Picture />);
    await waitFor(() => expect(syncStudy).toHaveBeenCalledOnce());
    expect(asked).toEqual([]);
    release();
    await image();
    expect(asked).toHaveLength(1);
  });

  it('of a highlight that the server does not have is not asked for: it could not be sent, or is refused', async () => {
    await studyStore.removeMember(ADA);
    await studyStore.load(ADA);
    await studyStore.putHighlight(sampleHighlight({ version: null }));
    render(<Picture />);
    expect(await screen.findByText('This highlight could not be sent yet. Check your connection and try again.')).toBeVisible();
    await act(() => studyStore.refused('highlights', ADA, 7, 1, 'Please open this summary first.'));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('This highlight could not be saved: Please open this summary first.')).toBeVisible();
    expect(asked).toEqual([]);
  });

  it('needs a connection: offline it says so, and it is made when the connection is back', async () => {
    const offline = beOffline(true);
    render(<Picture />);
    expect(await screen.findByText('You are offline. A picture needs a connection: it will be here once you are back online.')).toBeVisible();
    expect(asked).toEqual([]);
    offline.mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await image()).toBeVisible();
  });

  it('is requested again when it is opened again', async () => {
    const view = render(<Picture />);
    await image();
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    view.unmount();
    render(<Picture />);
    await image();
    expect(asked).toHaveLength(2);
  });
});

describe('the sheet of a highlight', () => {
  it('opens the picture above it, and stays', async () => {
    render(<Sheet />);
    await userEvent.click(screen.getByRole('button', { name: 'Share as a picture' }));
    const picture = await screen.findByRole('dialog', { name: 'Share as a picture' });
    await within(picture).findByRole('img', { name: ALT });
    await userEvent.click(within(picture).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog', { name: 'Share as a picture' })).toBeNull();
    expect(screen.getByRole('dialog', { name: 'Highlight' })).toBeVisible();
  });

  it('has no picture of a sentence that has no words yet', async () => {
    await studyStore.removeMember(ADA);
    await studyStore.load(ADA);
    await act(() => studyStore.putHighlight(sampleHighlight({ anchor: null, heard: { audio: 4_000 }, place: null, version: null })));
    render(<Sheet />);
    expect(screen.getByRole('button', { name: 'Delete' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Share as a picture' })).toBeNull();
  });
});
