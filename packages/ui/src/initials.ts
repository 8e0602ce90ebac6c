/**
 * One or two letters for a person, from both names in display order. Whole characters, since a name may start with an emoji or
 * a surrogate pair.
 */
export function initialsOf(front: string, back: string, email: string): string {
  const letters = [front, back].map((name) => firstCharacter(name.trim())).join('')
  return (letters || firstCharacter(email)).toLocaleUpperCase()
}

function firstCharacter(text: string): string {
  const [character] = new Intl.Segmenter().segment(text)
  return character?.segment ?? ''
}
