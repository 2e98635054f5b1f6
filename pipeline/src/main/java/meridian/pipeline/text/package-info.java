/** Text in, vectors out: tokens by the model's tokenizer.json, padding, pooling, normalisation. */
@NullMarked
package meridian.pipeline.text;

import org.jspecify.annotations.NullMarked;
