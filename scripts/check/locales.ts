import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { english, locales } from '@atrium/contract/locale.ts'
import { z } from 'zod'
import { partedMarks, partedNumbers, textFaults } from './locales/comparison.ts'
import { readTexts } from './locales/texts.ts'
import { usageFaults } from './locales/usage.ts'
import { projectFolder, sourceFiles } from './source-files.ts'

const home = join(projectFolder, 'packages/locales')

const SameAsEnglish = z.record(z.string(), z.array(z.string()))
const DynamicKeys = z.record(z.string(), z.string())

const englishTexts = readTexts(join(home, 'src', english.folder))
const sameAsEnglish = SameAsEnglish.parse(readJson('same-as-english.json'))
const others = locales.filter((locale) => locale !== english)

const faults = [
  ...usageFaults({
    english: englishTexts,
    sources: sourceFiles(['{apps,packages}/*/{src,web}/**/*.{ts,tsx}'])
      .filter((file) => !/\.test\.tsx?$/.test(file))
      .map((file) => ({ file, source: readFileSync(join(projectFolder, file), 'utf8') })),
    dynamicKeys: Object.keys(DynamicKeys.parse(readJson('dynamic-keys.json'))),
  }),
  ...locales.flatMap(({ code, folder }) => {
    const texts = readTexts(join(home, 'src', folder))
    return [...partedNumbers(code, texts), ...partedMarks(code, texts)]
  }),
  ...others.flatMap(({ code, folder }) =>
    textFaults({
      language: code,
      english: englishTexts,
      texts: readTexts(join(home, 'src', folder)),
      sameAsEnglish: sameAsEnglish[folder] ?? [],
    }),
  ),
]

process.stdout.write(
  faults.length === 0
    ? `${englishTexts.size} texts, each used and in ${locales.length} languages.\n`
    : `${faults.join('\n')}\n`,
)
process.exitCode = faults.length === 0 ? 0 : 1

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(home, file), 'utf8'))
}
