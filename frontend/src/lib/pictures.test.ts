import { expect, it } from 'vitest';
import { pictureSizes } from '@/lib/pictures';

it('an uploaded picture is offered in the widths that the server stores', () => {
  const srcSet = '/media/goals/calm-1a.320.webp 320w, /media/goals/calm-1a.640.webp 640w, /media/goals/calm-1a.1280.webp 1280w';
  expect(pictureSizes('/media/goals/calm-1a.jpg', '5rem')).toEqual({ srcSet, sizes: '5rem' });
  expect(pictureSizes('/media/goals/calm-1a.png', '5rem')).toEqual({ srcSet, sizes: '5rem' });
});

it('a drawing is offered as it is', () => {
  expect(pictureSizes('/media/covers/walden-1a.svg', '5rem')).toEqual({});
});
