import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleAdminPodcast, sampleAdminPost, sampleGoal, signInAs } from '@test/admin';
import { openApp } from '@test/app';
import { failure, on, server } from '@test/server';

let app: ReturnType<typeof openApp>;
const type = userEvent.setup();
const photo = new File(['x'], 'calm.png', { type: 'image/png' });

beforeEach(() => signInAs('editor'));
afterEach(() => app.close());

/** The calls that were made, in order. */
function recordGoalCalls(answers: { photo?: () => Response | { goal: ReturnType<typeof sampleGoal> } } = {}): string[] {
  const made: string[] = [];
  server.use(
    on('GET /api/admin/goals/{id}', () => ({ goal: sampleGoal(7) })),
    on('POST /api/admin/goals', () => {
      made.push('added');
      return { goal: sampleGoal(7) };
    }),
    on('PUT /api/admin/goals/{id}', () => {
      made.push('saved');
      return { goal: sampleGoal(7) };
    }),
    on('POST /api/admin/goals/photo/{id}', ({ request }) => {
      made.push(new URL(request.url).pathname);
      return (answers.photo ?? (() => ({ goal: sampleGoal(7) })))();
    }),
  );
  return made;
}

async function addGoal() {
  app = openApp('/admin/goal-add');
  await type.type(await screen.findByLabelText('Title*'), 'Calm');
  await type.type(screen.getByLabelText('Short title*'), 'C');
  await type.upload(screen.getByLabelText('Photo'), photo);
  expect(await screen.findByRole('img', { name: 'Photo chosen' })).toHaveAttribute('src', expect.stringContaining('data:image/png'));
  await type.click(screen.getByRole('button', { name: 'Add goal' }));
}

describe('the picture in a record’s form (admin.form-pictures)', () => {
  it('is uploaded after a new record is saved, in one step', async () => {
    const made = recordGoalCalls();
    await addGoal();
    expect(await screen.findByText('Goal was added.', { exact: false })).toBeVisible();
    expect(screen.getByText('The photo was uploaded.')).toBeVisible();
    expect(made).toEqual(['added', '/api/admin/goals/photo/7']);
  });

  it('is alone what is missing when only its upload failed, and can be sent again', async () => {
    let fails = true;
    const made = recordGoalCalls({ photo: () => (fails ? failure(422, 'validation_failed', 'This is no picture.') : { goal: sampleGoal(7) }) });
    await addGoal();
    expect(await screen.findByRole('alert')).toHaveTextContent('Everything except the photo is saved. This is no picture.');
    expect(screen.getByText('Goal was added.', { exact: false })).toBeVisible();
    fails = false;
    await type.click(screen.getByRole('button', { name: 'Upload the photo again' }));
    expect(await screen.findByText('The photo was uploaded.')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(made).toEqual(['added', '/api/admin/goals/photo/7', '/api/admin/goals/photo/7']);
  });

  it('is replaced with the other changes of a record, or left as it is', async () => {
    const made = recordGoalCalls();
    app = openApp('/admin/goal-edit/7');
    await type.upload(await screen.findByLabelText('Photo'), photo);
    expect(screen.getByText('Not saved')).toBeVisible();
    await type.click(screen.getByRole('button', { name: 'Don’t upload this photo' }));
    expect(screen.queryByText('Not saved')).toBeNull();
    expect(screen.getByLabelText('Photo')).toHaveFocus();
    await type.upload(screen.getByLabelText('Photo'), photo);
    await type.click(screen.getByRole('button', { name: 'Edit goal' }));
    expect(await screen.findByText('Goal was edited. The photo was uploaded.')).toBeVisible();
    expect(made).toEqual(['saved', '/api/admin/goals/photo/7']);
    await waitFor(() => expect(screen.queryByRole('img', { name: 'Photo chosen' })).toBeNull());
  });

  it('is in the forms of posts and episodes', async () => {
    const made: string[] = [];
    server.use(
      on('GET /api/admin/blog', () => ({ posts: [] })),
      on('GET /api/admin/blog/{postId}', () => ({ post: sampleAdminPost(7) })),
      on('PUT /api/admin/blog', () => ({ post: sampleAdminPost(7) })),
      on('POST /api/admin/blog/photo/{postId}', () => {
        made.push('post');
        return { post: sampleAdminPost(7) };
      }),
      on('GET /api/admin/podcasts/{id}', () => ({ podcast: sampleAdminPodcast(7) })),
      on('PUT /api/admin/podcasts/{id}', () => ({ podcast: sampleAdminPodcast(7) })),
      on('POST /api/admin/podcasts/photo/{id}', () => {
        made.push('podcast');
        return { podcast: sampleAdminPodcast(7) };
      }),
    );
    app = openApp('/admin/blog-edit/7');
    await type.upload(await screen.findByLabelText('Photo'), photo);
    await type.click(screen.getByRole('button', { name: 'Update post' }));
    expect(await screen.findByText('The post has been updated. The photo was uploaded.')).toBeVisible();
    app.close();
    app = openApp('/admin/podcasts/7');
    await type.upload(await screen.findByLabelText('Photo'), photo);
    await type.click(screen.getByRole('button', { name: 'Update podcast' }));
    expect(await screen.findByText('Podcast was updated. The photo was uploaded.')).toBeVisible();
    expect(made).toEqual(['post', 'podcast']);
  });
});
