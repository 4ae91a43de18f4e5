/** Something that is made when it is first asked for, and kept. A program uses few of the models that it imports. */
export function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
