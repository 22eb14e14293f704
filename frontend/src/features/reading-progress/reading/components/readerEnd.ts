// What members see at the end of a summary: one chunk (readerEndChunk.ts).
import '@/features/reading-progress/reading/end.css';

export { CompletionCard } from '@/features/reading-progress/reading/components/CompletionCard';
export { NextBooks } from '@/features/reading-progress/reading/components/NextBooks';
export { OwnRating } from '@/features/reading-progress/reading/components/OwnRating';
export { RatingForm } from '@/features/reading-progress/reading/components/RatingForm';
