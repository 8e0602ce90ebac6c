import { buildPages } from './start/web-build.ts'

const built = await buildPages()
process.stdout.write(built.length > 0 ? `Built ${built.join(' and ')}.\n` : 'Nothing changed since the last build.\n')
