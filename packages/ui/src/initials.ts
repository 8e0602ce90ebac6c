/** One or two letters that stand for a person, of the two names in the order in which they are told. Whole characters: a name may start with an emoji or a rare one. */
export function initialsOf(front: string, back: string, email: string): string {
  const letters = [front, back].map((name) => firstCharacter(name.trim())).join('')
  return (letters || firstCharacter(email)).toLocaleUpperCase()
}

function firstCharacter(text: string): string {
  const [character] = new Intl.Segmenter().segment(text)
  return character?.segment ?? ''
}
