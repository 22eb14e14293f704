import { queryClient } from '@/api/queryClient';
import { Quiz } from '@/features/challenge/quizzes/components/Quiz';
import { questionsQuery } from '@/features/challenge/quizzes/queries';
import { INTELLIGENCE } from '@/features/challenge/quizzes/quiz';
import { settleBeforeFirstRender } from '@/lib/firstRender';

export const loader = () => settleBeforeFirstRender(queryClient.query(questionsQuery(INTELLIGENCE.kind)));

export const Component = () => <Quiz quiz={INTELLIGENCE} />;
