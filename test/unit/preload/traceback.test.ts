import { describe, expect, it } from 'vitest';
import { hotFrame, readTraceback, splitSummary } from '../../../src-preload/traceback.ts';

const python = `Traceback (most recent call last):
  File "/usr/local/lib/python3.11/site-packages/runpod/serverless/modules/rp_job.py", line 164, in run_job
    handler_return = handler(job)
                     ^^^^^^^^^^^^
  File "/app/handler.py", line 118, in run
    return decode(batch)
  File "/app/decode.py", line 241, in batch_decode
    tokens = beam(model, mel[:batch_size], beam_size=5)
  File "/usr/local/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1553, in _wrapped_call_impl
    return self._call_impl(*args, **kwargs)
  File "/usr/local/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1562, in _call_impl
    return forward_call(*args, **kwargs)
torch.cuda.OutOfMemoryError: CUDA out of memory.
`;
const node = `TypeError: mock_stream must be an array.
    at list (file:///srv/worker/handlers/mock.ts:59:43)
    at async handler (file:///srv/worker/handlers/mock.ts:40:10)
    at async process.processTicksAndRejections (node:internal/process/task_queues:105:5)`;

describe('a traceback', () => {
  it('shows the user’s own Python frames first and folds the rest by package', () => {
    const lines = readTraceback(python);
    expect(
      lines.map((line) =>
        line.kind === 'frame'
          ? `${line.file}:${line.line} in ${line.name}`
          : line.kind === 'hidden'
            ? line.label
            : line.text,
      ),
    ).toEqual([
      'Traceback (most recent call last):',
      '1 frame inside runpod hidden',
      'handler.py:118 in run',
      'decode.py:241 in batch_decode',
      '2 frames inside torch hidden',
      'torch.cuda.OutOfMemoryError: CUDA out of memory.',
    ]);
    const hot = lines[hotFrame(lines, python)];
    expect(hot).toMatchObject({
      kind: 'frame',
      file: 'decode.py',
      code: 'tokens = beam(model, mel[:batch_size], beam_size=5)',
    });
  });

  it('reads Node stacks, where the first own frame is the relevant one', () => {
    const lines = readTraceback(node);
    expect(
      lines.map((line) =>
        line.kind === 'frame'
          ? `${line.file}:${line.line} in ${line.name}`
          : line.kind === 'hidden'
            ? line.label
            : line.text,
      ),
    ).toEqual([
      'TypeError: mock_stream must be an array.',
      'mock.ts:59 in list',
      'mock.ts:40 in handler',
      '1 frame inside node:internal hidden',
    ]);
    expect(hotFrame(lines, node)).toBe(1);
  });

  it('hides nothing if no frame is the user’s own', () => {
    const lines = readTraceback(
      '  File "/usr/lib/python3.11/json/decoder.py", line 355, in raw_decode\n    raise JSONDecodeError',
    );
    expect(lines).toMatchObject([{ kind: 'frame', isOwn: false, file: 'decoder.py' }]);
    expect(hotFrame(lines, '')).toBe(-1);
  });

  it('keeps text that is not a traceback', () => {
    expect(readTraceback('worker exited\n\nwith code 137')).toEqual([
      { kind: 'text', text: 'worker exited' },
      { kind: 'text', text: 'with code 137' },
    ]);
  });

  it('names the folder if the file name is not informative', () => {
    expect(readTraceback('  File "/app/model/__init__.py", line 3, in load')).toMatchObject([
      { file: 'model/__init__.py' },
    ]);
  });
});

describe('a summary', () => {
  it.each([
    ['CUDA out of memory. Tried to allocate 6.42 GiB.', 'CUDA out of memory', 'Tried to allocate 6.42 GiB.'],
    ['first line\nsecond line', 'first line', 'second line'],
    ['one line only', 'one line only', ''],
    [`${'long '.repeat(30)}. rest`, `${'long '.repeat(30)}. rest`, ''],
  ])('is split into headline and rest: %s', (summary, headline, rest) => {
    expect(splitSummary(summary)).toEqual({ headline, rest });
  });
});

// A pattern that begins again at each line would take minutes for these.
it.each(['\n', '\r', '  \n', '\u2028'])('the frame to check first is found behind a million of %j', (line) => {
  const text = `${line.repeat(1_000_000)}\nTraceback:\n  File "/app/one.py", line 1, in a\n  File "/app/two.py", line 2, in b\n`;
  const lines = readTraceback(text);
  expect(lines[hotFrame(lines, text)]).toMatchObject({ name: 'b' });
});
