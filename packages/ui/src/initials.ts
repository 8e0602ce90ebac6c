/** One or two letters that stand for a person. Whole characters: a name may start with an emoji or a rare one. */
export function initialsOf(firstName: string, lastName: string, email: string): string {
  const letters = [firstName, lastName].map((name) => firstCharacter(name.trim())).join('')
  return (letters || firstCharacter(email)).toLocaleUpperCase()
}

function firstCharacter(text: string): string {
  const [character] = new Intl.Segmenter().segment(text)
  return character?.segment ?? ''
}
