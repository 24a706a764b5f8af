/** A path with its values encoded, each as one segment: path`/cards/${id}`. */
export function path(literals, ...values) {
    return String.raw({ raw: literals }, ...values.map(segment));
}
/** An empty segment or one of dots would make another address of it, of another operation. */
function segment(value) {
    if (/^\.{0,2}$/.test(value))
        throw new TypeError(`"${value}" is no identifier`);
    return encodeURIComponent(value);
}
