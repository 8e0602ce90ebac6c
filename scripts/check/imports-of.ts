/** `import … from 'x'`, `export … from 'x'`, `import 'x'` and `import('x')`. A clause holds no quotes, so it cannot run over one. */
const imports =
  /(?:^|[\s;}])(?:import|export)\s[^'"`;]*?\bfrom\s*['"]([^'"\n]+)['"]|(?:^|[\s;}])import\s*['"]([^'"\n]+)['"]|\bimport\s*\(\s*['"]([^'"\n]+)['"]/g

/** Comments and template literals may contain text that looks like code. Strings match first: `'**\/*.ts'` does not open a comment. */
const stringOrNoCode = /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:\\[\s\S]|[^`\\])*`/g

/** What a file imports, types included: boundaries hold for types too. */
export function importsOf(source: string): string[] {
  const code = source.replace(stringOrNoCode, (_whole, text: string | undefined) => text ?? '')
  return [...code.matchAll(imports)].flatMap(([, from, bare, dynamic]) => {
    const specifier = from ?? bare ?? dynamic
    return specifier ? [specifier] : []
  })
}
