import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import autocannon from 'autocannon'

/**
 * Loads a server with 50 connections and prints the result as JSON.
 * `node bench/load.ts URL SECONDS COOKIE` or `node bench/load.ts URL SECONDS --activate KEYS-FILE`
 */
const [url = '', seconds = '1', cookie = '', keysFile] = process.argv.slice(2)
const keys = keysFile ? (await readFile(keysFile, 'utf8')).trim().split('\n') : []
let sent = 0

const result = await autocannon({
  url,
  connections: 50,
  duration: Number(seconds),
  ...(keysFile
    ? {
        requests: [
          {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            setupRequest: (request: autocannon.Request) => ({ ...request, body: JSON.stringify(activation()) }),
          },
        ],
      }
    : { headers: { cookie } }),
})
process.stdout.write(
  JSON.stringify({
    perSecond: result.requests.average,
    refused: result.non2xx + result.errors + result.timeouts,
  }),
)

function activation() {
  sent += 1
  const macAddress = randomBytes(6).toString('hex')
  return { method: 'keycode', sn: keys[sent % keys.length], macAddress, pcName: `PC-${sent}`, appVersion: '13.1.0' }
}
