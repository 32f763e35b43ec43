import { jobMenu } from '../commands/job-menu.tsx';
import { JobPane } from '../job/job-pane.tsx';

/** The job beside the list, with the menu of its commands. */
export function ListJob({ jobKey }: { jobKey: string }) {
  return <JobPane jobKey={jobKey} menuOf={jobMenu} />;
}
