import { describe, expect, it } from 'vitest';
import { ownPath, parsePushMessage } from '@/lib/pushMessage';

describe('a push message (study.push-messages)', () => {
  it('has a title, a text and the page that it leads to', () => {
    const message = { title: '3 cards are due', body: 'About 2 minutes.', path: '/review' };
    expect(parsePushMessage(JSON.stringify(message))).toEqual(message);
    expect(parsePushMessage('{"title":"3 cards are due"}')).toEqual({ title: '3 cards are due', body: '', path: '/home' });
  });

  it.each([undefined, '', 'words', 'null', '[]', '{}', '{"title":""}', '{"title":5,"body":"x"}'])('of %j is none', (payload) => {
    expect(parsePushMessage(payload)).toBeNull();
  });

  it.each(['https://evil.example/review', '//evil.example', '/\\evil.example', 'review', '/.//evil.example', '', 7, null, undefined])(
    'leads home in place of %j, which is no path of the site',
    (path) => {
      expect(ownPath(path)).toBe('/home');
      expect(parsePushMessage(JSON.stringify({ title: 'Due', path }))?.path).toBe('/home');
    },
  );

  it('leads to a path of the site with its query', () => {
    expect(ownPath('/review?from=push')).toBe('/review?from=push');
  });
});
