import { describe, expect, it } from 'vitest';
import { splitSections } from '@/lib/sections';

describe('the sections of a body', () => {
  it('begin at level-3 headings', () => {
    expect(splitSections('<h3>One</h3><p>a</p><p>b</p><h3>Two <em>more</em></h3><p>c</p>')).toEqual([
      { title: 'One', html: '<p>a</p><p>b</p>' },
      { title: 'Two more', html: '<p>c</p>' },
    ]);
  });

  it('keep text before the first heading as an untitled section, blanks alone not', () => {
    expect(splitSections('<p>before</p><h3>One</h3><p>a</p>')[0]).toEqual({ title: '', html: '<p>before</p>' });
    expect(splitSections('\n  <h3>One</h3><p>a</p>')).toHaveLength(1);
  });

  it('are counted as by the server: a picture before the first heading and an empty section are sections too', () => {
    expect(splitSections('<img src="/a.png" alt=""><h3>One</h3><p>a</p>')).toEqual([
      { title: '', html: '<img src="/a.png" alt="">' },
      { title: 'One', html: '<p>a</p>' },
    ]);
    expect(splitSections('<hr><h3>One</h3><h3>&nbsp;</h3><h3>Three</h3>')).toHaveLength(4);
  });

  it('are not cut at a heading within something else', () => {
    expect(splitSections('<h3>One</h3><blockquote><h3>inner</h3></blockquote>')).toHaveLength(1);
  });

  it('of nothing are none', () => {
    expect(splitSections('')).toEqual([]);
  });
});
