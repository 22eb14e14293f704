// What the pages of lists load with the store.
export { Lists } from '@/features/study/lists/components/Lists';
export { OwnList } from '@/features/study/lists/components/OwnList';
export { loadRecords } from '@/shared/study/useStudyRecords';
