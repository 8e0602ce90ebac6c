/** The results of an asynchronous function for each entry, one after the other: a transaction runs one query at a time. */
export async function oneByOne<Entry, Result>(
  entries: readonly Entry[],
  run: (entry: Entry) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const entry of entries) results.push(await run(entry))
  return results
}
