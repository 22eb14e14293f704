import { queryClient, viewer } from '@/api/queryClient';
import { Results } from '@/features/challenge/quizzes/components/Results';
import { resultsQuery } from '@/features/challenge/quizzes/queries';
import { INTELLIGENCE } from '@/features/challenge/quizzes/quiz';
import { settleBeforeFirstRender } from '@/lib/firstRender';

export const loader = () => (viewer() === 'member' ? settleBeforeFirstRender(queryClient.query(resultsQuery(INTELLIGENCE.kind))) : null);

export const Component = () => <Results quiz={INTELLIGENCE} />;
