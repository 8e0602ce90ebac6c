/** Owner conditions whose removal changes nothing that anybody could see, by file and text, and why. */
export const equivalent: ReadonlyMap<string, string> = new Map<string, string>([])
