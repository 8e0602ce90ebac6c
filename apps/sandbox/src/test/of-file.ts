import { afterAll } from 'vitest'

/** What all tests of a file use: it is disposed of after the last one. */
export async function ofFile<T extends AsyncDisposable>(opening: Promise<T>): Promise<T> {
  const opened = await opening
  afterAll(() => opened[Symbol.asyncDispose]())
  return opened
}
