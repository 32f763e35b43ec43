/** What the empty field shows: the three forms it takes. */
export const placeholder = `{"prompt": "one object a line"}
{"prompt": "or an array: [{…}, {…}]"}

prompt,seed,sampling.max_tokens
or a table with a header,7,256

Paste here, drop a file or open one.`;
