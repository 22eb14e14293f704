import { describe, expect, it } from 'vitest';
import { describeAction, describeChanges, describeJson, subjectPath } from '@/features/admin/log/describe';

describe('an entry of the audit log', () => {
  it('says what was done in words, also what it does not know', () => {
    expect(describeAction('book.update')).toBe('changed');
    expect(describeAction('user.second_factor_reset')).toBe('reset the second factor of');
    expect(describeAction('moon.land_softly')).toBe('land softly');
  });

  it('shows values as a person reads them', () => {
    expect([null, '', 'Emma', true, 3, ['a']].map(describeJson)).toEqual(['nothing', 'nothing', 'Emma', 'yes', '3', '["a"]']);
  });

  it('of a refund says order and sum in its line, and of other changes their fields', () => {
    const changes = [
      { field: 'order', to: '#12 Lifetime' },
      { field: 'amount', to: '$49.00' },
      { field: 'note', to: null },
    ];
    expect(`${describeAction('charge.refund')} Bob Bee: ${describeChanges('charge.refund', changes)}`).toBe(
      'started a refund to Bob Bee: #12 Lifetime, $49.00',
    );
    expect(describeChanges('book.update', [{ field: 'shortTitle', to: 'Walden' }])).toBe('short title');
  });

  it('of all failed emails and of the setup is whole without a subject', () => {
    expect(`${describeAction('mail.retry_all')} ${describeChanges('mail.retry_all', [{ field: 'count', to: '12' }])}`).toBe(
      'tried all failed emails again: 12',
    );
    expect(describeAction('site.setup')).toBe('set the site up');
  });

  it('leads to what was changed', () => {
    expect(subjectPath({ kind: 'charge', id: 12 })).toBe('/admin/orders/12');
    expect(subjectPath({ kind: 'user', id: 7 })).toBe('/admin/user-edit/7');
    expect(subjectPath({ kind: 'user', id: null })).toBeNull();
    expect(subjectPath({ kind: 'keys', id: 1 })).toBeNull();
  });
});
