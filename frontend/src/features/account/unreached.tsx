import { Alert } from '@/ui/Alert';

/** Stands in for a part of the page whose file did not come. */
function Unreached() {
  return <Alert kind="warning">This part could not be loaded. Please check your connection and load the page again.</Alert>;
}

export const unreached = () => ({ default: Unreached });
