import { writeFileSync } from 'node:fs';
import { checkPackaged } from './packaged.ts';

/* `node ask-packaged.ts PROGRAM FILE` checks the packaged program and writes the results to the file, as JSON. */
const [, , program = '', file = ''] = process.argv;
writeFileSync(file, JSON.stringify(await checkPackaged(program)));
