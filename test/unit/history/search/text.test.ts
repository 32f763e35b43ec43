import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proseOfBody, withoutData } from '../../../../src-main/history/search/body-text.ts';
import { createStreamText } from '../../../../src-main/history/search/stream-text.ts';

const base64 = 'iVBORw0KGgoAAAANSUhEUgAA'.repeat(100);

describe('the words of a body', () => {
  it('are keys, strings and numbers of JSON', () => {
    expect(proseOfBody('{"prompt":"a red\\ncar","seed":42,"ok":true,"list":["x"]}', 1_000)).toBe(
      'prompt\na red\ncar\nseed\n42\nok\nlist\nx',
    );
  });

  it('are the text itself when it is not JSON', () => {
    expect(proseOfBody('Traceback: line 3', 1_000)).toBe('Traceback: line 3');
    expect(proseOfBody('[ERROR] it "broke"', 1_000)).toBe('[ERROR] it "broke"');
  });

  it('are found inside JSON in a JSON string (field notes: Status and result)', () => {
    const error = JSON.stringify(JSON.stringify({ error_type: "<class 'ValueError'>", error_message: 'bad\nseed' }));
    expect(proseOfBody(error, 1_000)).toBe("error_type\n<class 'ValueError'>\nerror_message\nbad\nseed");
  });

  it('leave out base64, in one piece, wrapped in lines, and behind data:', () => {
    const wrapped = base64.replace(/.{76}/g, '$&\r\n');
    const body = JSON.stringify({
      image: base64,
      pem: wrapped,
      url: `data:image/png;base64,${base64}`,
      caption: 'sunset',
    });
    expect(
      proseOfBody(body, 10_000)
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    ).toEqual(['image', 'pem', 'url', 'caption', 'sunset']);
  });

  it('are cut at the limit, and read from the beginning of a body too long to parse', () => {
    expect(proseOfBody(JSON.stringify('word '.repeat(1_000)), 100)).toHaveLength(100);
    const long = JSON.stringify({ first: 'needle "quoted" \\ here', rest: 'x y '.repeat(400_000) });
    expect(proseOfBody(long, 60)).toContain('needle "quoted" \\ here');
  });

  it('never throw and never exceed the limit', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), fc.nat(50), (text, cap) => {
        expect(proseOfBody(text, cap).length).toBeLessThanOrEqual(cap);
      }),
    );
  });
});

describe('data', () => {
  it('is a run of more than 1 KB without a blank; prose of any length stays', () => {
    expect(withoutData(base64)).toBe('');
    expect(withoutData(`see ${'x'.repeat(1_025)} there`).replace(/ +/g, ' ')).toBe('see there');
    const prose = 'plain words '.repeat(500);
    expect(withoutData(prose)).toBe(prose);
  });
});

describe('streamed text', () => {
  const gathered = (outputs: unknown[]): string => {
    const stream = createStreamText(10_000);
    for (const output of outputs) stream.add(JSON.stringify(output));
    return stream.text();
  };

  it('joins the pieces of one place as they were streamed', () => {
    expect(
      gathered([{ text: ['A qui'], input_tokens: 3 }, { text: ['ck'], input_tokens: 4 }, { text: [' brown', ' fox'] }]),
    ).toBe('A quick brown fox');
  });

  it('keeps values from different places apart, and a constant once', () => {
    expect(
      gathered([
        { role: 'assistant', content: 'Hel' },
        { role: 'assistant', content: 'lo ' },
        { role: 'assistant', content: 'you' },
      ]),
    ).toBe('assistant\nHello you');
  });

  it('finds whole words that came without blanks (one word per chunk; field notes: Stream)', () => {
    expect(gathered([{ word: 'a' }, { word: 'runpod' }, { word: 'works' }]).split(/\P{L}+/u)).toContain('runpod');
  });

  it('contains any text cut anywhere', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 2, maxLength: 30 }),
        (pieces) => {
          fc.pre(pieces.some((piece) => piece !== pieces[0]) && pieces[1] !== pieces[0]);
          expect(gathered(pieces).startsWith(pieces.join(''))).toBe(true);
        },
      ),
    );
  });

  it('stops at its limit and accepts output that is not JSON', () => {
    const stream = createStreamText(10);
    stream.add('not json');
    stream.add('"0123456789"');
    stream.add('"more"');
    expect(stream.text()).not.toContain('more');
    expect(stream.text()).toContain('not json');
  });
});

// A pattern that begins again at each line break would take an hour for this: models do send it.
it('words among a million line breaks are still words', () => {
  const text = `word${'\n'.repeat(1_000_000)}!`;
  expect(withoutData(text)).toBe(text);
  expect(withoutData(`${base64}==\n \t\n`)).toBe('');
  expect(withoutData(`${base64}\n \t\n`)).toBe('');
});
