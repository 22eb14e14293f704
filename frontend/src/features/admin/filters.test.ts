import { describe, expect, it } from 'vitest';
import { inboxView, mailState, messagesFilter } from '@/features/admin/filters';
import { mailName } from '@/features/admin/words';

const view = (search: string) => inboxView(new URLSearchParams(search));

describe('the inbox', () => {
  it('shows open messages, unless the URL filters otherwise', () => {
    expect(view('')).toEqual({ about: 'questions', shown: 'open', kind: null, q: '' });
    expect(view('show=done&kind=suggest')).toEqual({ about: 'questions', shown: 'done', kind: 'suggest', q: '' });
    expect(view('q=refund')).toEqual({ about: 'questions', shown: 'open', kind: null, q: 'refund' });
    expect(view('show=never&kind=toString')).toEqual({ about: 'questions', shown: 'open', kind: null, q: '' });
  });

  it('keeps reasons for leaving apart, which are neither open nor done (support.leaving-reasons)', () => {
    expect(view('about=leaving&show=done')).toEqual({ about: 'leaving', shown: 'all', kind: null, q: '' });
    expect(view('kind=cancellation')).toEqual({ about: 'leaving', shown: 'all', kind: 'cancellation', q: '' });
    expect(view('about=leaving&kind=contact')).toEqual({ about: 'questions', shown: 'open', kind: 'contact', q: '' });
    expect(messagesFilter(view('about=leaving'))).toEqual({ about: 'leaving' });
  });

  it('sends only the filters to the server', () => {
    expect(messagesFilter(view(''))).toEqual({ about: 'questions', done: 'false' });
    expect(messagesFilter(view('show=done'))).toEqual({ about: 'questions', done: 'true' });
    expect(messagesFilter(view('show=all&kind=contact'))).toEqual({ about: 'questions', kind: 'contact' });
    expect(messagesFilter(view('show=all&q=refund'))).toEqual({ about: 'questions', q: 'refund' });
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
