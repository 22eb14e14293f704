import { describe, expect, it } from 'vitest';
import { firstLine, inboxView, mailName, mailState, messagesFilter } from '@/features/admin/filters';

const view = (search: string) => inboxView(new URLSearchParams(search));

describe('the inbox', () => {
  it('shows what nobody has seen to, unless the address asks otherwise', () => {
    expect(view('')).toEqual({ shown: 'open', kind: null });
    expect(view('show=done&kind=suggest')).toEqual({ shown: 'done', kind: 'suggest' });
    expect(view('show=never&kind=toString')).toEqual({ shown: 'open', kind: null });
  });

  it('asks the server for no more than that', () => {
    expect(messagesFilter(view(''))).toEqual({ done: false });
    expect(messagesFilter(view('show=done'))).toEqual({ done: true });
    expect(messagesFilter(view('show=all&kind=contact'))).toEqual({ kind: 'contact' });
  });

  it('tells a message by its first line', () => {
    expect(firstLine('\n  \nHello.\nMore.')).toBe('Hello.');
    expect(firstLine('')).toBe('');
  });
});

describe('mails', () => {
  it('are shown by where they stand', () => {
    expect(mailState(new URLSearchParams('state=set_aside'))).toBe('set_aside');
    expect(mailState(new URLSearchParams('state=lost'))).toBeNull();
    expect(mailState(new URLSearchParams())).toBeNull();
  });

  it('have names, also new ones', () => {
    expect(mailName('confirm_email')).toBe('Confirm the address');
    expect(mailName('trial_is_ending')).toBe('trial is ending');
  });
});
