/** How failures are grouped by cause (src-main/history/failures/signature.ts). */
export const groupingRulesText = {
  open: 'Grouping rules',
  title: 'How failures are grouped',
  intro:
    'Jobs have the same cause if they failed at the same endpoint, at the same place in your code, and with the ' +
    'same message. These parts of a message are replaced by … before messages are compared:',
  kept: 'These parts stay, because they say what happened:',
  limits: 'All jobs that reached their execution timeout at an endpoint are one cause, whatever they reported.',
  fixed: 'The rules are the same for all endpoints and cannot be changed.',
};

/** The ignored parts of a message, with an example before and after. */
export const ignoredParts: readonly { part: string; message: string; becomes: string }[] = [
  { part: 'Addresses', message: 'Could not fetch https://files.example/a1.wav', becomes: 'Could not fetch …' },
  { part: 'Paths', message: 'No such file: /data/in/a1.wav', becomes: 'No such file: …' },
  { part: 'Ids', message: 'Worker uhbbfre73gqjwh stopped', becomes: 'Worker … stopped' },
  { part: 'Dates', message: 'Expired on 2026-11-03 09:12', becomes: 'Expired on …' },
  { part: 'Numbers', message: 'Tried to allocate 9.88 GiB', becomes: 'Tried to allocate … GiB' },
];

/** The parts that stay, with an example. */
export const keptParts: readonly { part: string; message: string }[] = [
  { part: 'Exit codes', message: 'Worker exited with code 137' },
  { part: 'Statuses', message: '503 Service Unavailable' },
];
