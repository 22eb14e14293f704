import { describe, expect, it } from 'vitest';
import { firstLine, inboxView, mailState, messagesFilter } from '@/features/admin/filters';
import { mailName } from '@/features/admin/words';

const view = (search: string) => inboxView(new URLSearchParams(search));

describe('the inbox', () => {
  it('shows open messages, unless the URL filters otherwise', () => {
    expect(view('')).toEqual({ shown: 'open', kind: null, q: '' });
    expect(view('show=done&kind=suggest')).toEqual({ shown: 'done', kind: 'suggest', q: '' });
    expect(view('q=refund')).toEqual({ shown: 'open', kind: null, q: 'refund' });
    expect(view('show=never&kind=toString')).toEqual({ shown: 'open', kind: null, q: '' });
  });

  it('sends only the filters to the server', () => {
    expect(messagesFilter(view(''))).toEqual({ done: false });
    expect(messagesFilter(view('show=done'))).toEqual({ done: true });
    expect(messagesFilter(view('show=all&kind=contact'))).toEqual({ kind: 'contact' });
    expect(messagesFilter(view('show=all&q=refund'))).toEqual({ q: 'refund' });
  });

  it('tells a message by its first line', () => {
    expect(firstLine('\n  \nHello.\nMore.')).toBe('Hello.');
    expect(firstLine('')).toBe('');
  });
});

describe('mails', () => {
  it('are filtered by state', () => {
    expect(mailState(new URLSearchParams('state=set_aside'))).toBe('set_aside');
    expect(mailState(new URLSearchParams('state=lost'))).toBeNull();
    expect(mailState(new URLSearchParams())).toBeNull();
  });

  it('have display names, also unknown kinds', () => {
    expect(mailName('confirm_email')).toBe('Confirm the address');
    expect(mailName('trial_is_ending')).toBe('trial is ending');
  });
});
