//! Tools and structured replies from Rust types: the schema a model is shown and the strict reading of what it sends
//! come from one type, so they cannot drift apart.

use crate::chat::{Finish, Reply, ResponseFormat, ToolCall, ToolSpec};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, RestrictFormats};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt;

/// The tools an agent offers, each read into the agent's own type `A`.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use tandem_llm::{Toolbox, chat::ToolCall};
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Walk {
///     /// Columns to the right; negative: to the left.
///     x: i32,
/// }
/// enum Action { Walk(i32) }
/// impl From<Walk> for Action {
///     fn from(walk: Walk) -> Self { Self::Walk(walk.x) }
/// }
///
/// let tools = Toolbox::<Action>::new().with::<Walk>("walk", "Walks along the shortest path.");
/// let call = |arguments: &str| ToolCall { id: String::new(), name: "walk".to_owned(), arguments: arguments.to_owned() };
/// assert!(matches!(tools.read(&call(r#"{"x": -2}"#)), Ok(Action::Walk(-2))));
/// let error = tools.read(&call(r#"{"x": "far"}"#)).err().unwrap();
/// assert!(error.to_string().starts_with("walk: the argument x: invalid type"));
/// ```
pub struct Toolbox<A> {
    tools: Vec<Tool<A>>,
}

struct Tool<A> {
    name: &'static str,
    description: &'static str,
    schema: Value,
    read: fn(&str) -> Result<A, FormError>,
}

/// A call that cannot be carried out. Its words are fit to be sent back to the model as the tool's result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// There is no such tool.
    #[error("there is no tool {name:?}; there are {}", known.join(", "))]
    Unknown {
        /// The tool called.
        name: String,
        /// The tools there are.
        known: Vec<&'static str>,
    },
    /// The arguments are not what the tool takes.
    #[error("{tool}: the argument {error}")]
    Argument {
        /// The tool called.
        tool: &'static str,
        /// Which argument is wrong, and how.
        error: FormError,
    },
}

/// JSON that is not of the form asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {what}")]
pub struct FormError {
    /// Where, for instance `goals[1].object`; `object` for the whole.
    pub field: String,
    /// What is wrong.
    pub what: String,
}

impl<A> Toolbox<A> {
    /// An empty box.
    pub fn new() -> Self {
        Self { tools: Vec::new() }
    }

    /// The box with one more tool. `T` are its arguments, a struct with named fields; the doc comments of its fields
    /// describe them to the model. An argument that is not in `T` is refused, whatever `T` says itself; types within
    /// `T` say so by `#[serde(deny_unknown_fields)]`. Of tools with the same name the first one counts.
    pub fn with<T: DeserializeOwned + JsonSchema + Into<A>>(
        mut self,
        name: &'static str,
        description: &'static str,
    ) -> Self {
        let schema = schema_of::<T>();
        self.tools.push(Tool { name, description, schema, read: |text| read::<T>(text).map(Into::into) });
        self
    }

    /// The tools as a request carries them.
    pub fn specs(&self) -> Vec<ToolSpec> {
        let spec = |tool: &Tool<A>| ToolSpec {
            name: tool.name.to_owned(),
            description: Some(tool.description.to_owned()),
            parameters: Some(tool.schema.clone()),
            strict: None,
        };
        self.tools.iter().map(spec).collect()
    }

    /// Reads a call into the agent's own type.
    pub fn read(&self, call: &ToolCall) -> Result<A, CallError> {
        let Some(tool) = self.tools.iter().find(|tool| tool.name == call.name) else {
            let known = self.tools.iter().map(|tool| tool.name).collect();
            return Err(CallError::Unknown { name: call.name.clone(), known });
        };
        known_fields(&call.arguments, &tool.schema)
            .and_then(|()| (tool.read)(&call.arguments))
            .map_err(|error| CallError::Argument { tool: tool.name, error })
    }
}

impl<A> Default for Toolbox<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A> fmt::Debug for Toolbox<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.tools.iter().map(|tool| tool.name)).finish()
    }
}

/// The JSON Schema of an object type: references written out, without titles and the formats of Rust's number types,
/// which servers do not know, and closed against other fields.
pub fn schema_of<T: JsonSchema>() -> Value {
    let mut formats = RestrictFormats::default();
    formats.infer_from_meta_schema = false;
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.meta_schema = None;
            settings.inline_subschemas = true;
        })
        .with_transform(formats)
        .with_transform(RecursiveTransform(|schema: &mut schemars::Schema| {
            schema.remove("title");
        }));
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    // The type's own doc comment is for programmers; a tool has its description, a format its name.
    schema.remove("description");
    let mut schema = schema.to_value();
    if let Some(schema) = schema.as_object_mut() {
        schema.entry("additionalProperties").or_insert(false.into());
        schema.entry("properties").or_insert_with(|| Value::Object(serde_json::Map::new()));
    }
    schema
}

/// The response format that asks for JSON of this type. `name` is 1 to 64 letters, digits, dashes or underscores.
pub fn format_of<T: JsonSchema>(name: &str) -> ResponseFormat {
    let schema = Some(schema_of::<T>());
    ResponseFormat::JsonSchema { name: name.to_owned(), description: None, schema, strict: Some(true) }
}

/// Reads a reply that must be JSON of this type, and nothing else; a fence of three backticks around it is allowed.
/// Fields that are not in `T` are refused, as [`format_of`] tells the model.
pub fn structured<T: DeserializeOwned + JsonSchema>(reply: &Reply) -> Result<T, FormError> {
    if reply.finish != Finish::Stop {
        let what = format!("the reply ended with {}", reply.finish.name());
        return Err(FormError { field: "object".to_owned(), what });
    }
    let text = unfenced(reply.text.trim());
    known_fields(text, &schema_of::<T>())?;
    read(text)
}

fn unfenced(text: &str) -> &str {
    let inner = text.strip_prefix("```").and_then(|text| text.strip_suffix("```"));
    inner.map_or(text, |inner| inner.strip_prefix("json").unwrap_or(inner).trim())
}

/// Refuses what is not one JSON object, and fields that its schema does not know.
fn known_fields(text: &str, schema: &Value) -> Result<(), FormError> {
    let fields = serde_json::from_str::<serde_json::Map<String, Value>>(text)
        .map_err(|error| FormError { field: "object".to_owned(), what: error.to_string() })?;
    let known = schema.get("properties").and_then(Value::as_object);
    match fields.keys().find(|field| known.is_some_and(|known| !known.contains_key(*field))) {
        None => Ok(()),
        Some(field) => {
            let known: Vec<_> = known.into_iter().flat_map(|known| known.keys().cloned()).collect();
            let what = format!("is not known; known are: {}", known.join(", "));
            Err(FormError { field: field.clone(), what })
        }
    }
}

/// Reads text known to be one JSON object; from the text, so that a field given twice is refused.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, FormError> {
    serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text)).map_err(|error| {
        let path = error.path().to_string();
        let field = if path == "." { "object".to_owned() } else { path };
        FormError { field, what: error.inner().to_string() }
    })
}
