/** Why a reply cannot be read. Each ends the sentence "the reply ...". */
export const replyText = {
  early: 'came before the request was sent completely, so it may be the answer to an earlier one',
  notObject: 'is not a JSON object',
  notJson: 'is not JSON',
  page: 'is a web page, not JSON',
  empty: 'is empty',
  notRead: 'was not read',
  threadEnded: 'could not be read: the thread for large replies ended',
  tooDeep: 'nests deeper than any pod or template',

  noIdNorStatus: 'has neither an id nor a status',
  noId: 'has no id',
  noStatus: 'has no status',
  unusableId: 'has an id that no address can contain',
  otherJob: (id: string): string => `is about another job (${id})`,
  answeredTwice: (id: string): string => `is that of the request before, about another job (${id})`,
  noChunks: 'is neither an array of chunks nor an object',
  noStream: 'has no stream',
  noHealth: 'has neither jobs nor workers',
  noPurgeCount: 'does not say how many jobs were removed',
  noPodField: 'has no field of a pod',
  noTemplateField: 'has no field of a template',
};

/** Why a reply is not read any further, or not unpacked. Each ends the sentence "the reply ...". */
export const replyBodyText = {
  tooLong: (limitBytes: number): string =>
    `is longer than the ${Math.round(limitBytes / 2 ** 20)} MB that Jobdeck reads`,
  sameBeginning: 'begins like an earlier one that was too large to read',
  tooCompressed: (times: number): string => `expands to more than ${times} times its size`,
  tooManyLayers: (layers: number): string => `is compressed in ${layers} layers, one inside another`,
  unknownCoding: (coding: string): string => `is compressed in a way that Jobdeck cannot read (${coding})`,
  cannotUnpack: 'cannot be unpacked',
};

/** What workers report, as far as Jobdeck replaces it. */
export const workerText = {
  noReason: 'The worker gave no reason.',
  /** After a quote that ends where variables may begin. */
  cut: '… cut here by Jobdeck: variables may follow',
};
