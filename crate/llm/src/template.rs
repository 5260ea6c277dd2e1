//! Prompts as templates. A variable that is not there is an error, never an empty place in a prompt.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, filters, tests};
use serde::Serialize;

/// Named templates in Jinja's language, without macros, inheritance or files. The line end after a tag and the space
/// before it are not part of the text. Of filters there are `join`, `length`, `lower`, `trim` and `upper`, of tests
/// `defined`: each one more would be in every page.
///
/// ```
/// use tandem_llm::Templates;
/// let prompts = Templates::new([("greet", "You are {{ name }}.\n{% for rule in rules %}\n- {{ rule }}\n{% endfor %}")])?;
/// let who = serde_json::json!({"name": "Eira", "rules": ["Be brief."]});
/// assert_eq!(prompts.render("greet", &who)?, "You are Eira.\n- Be brief.\n");
///
/// let error = prompts.render("greet", &serde_json::json!({"name": "Eira"})).unwrap_err();
/// assert_eq!((error.template.as_str(), error.line), ("greet", Some(2)));
/// assert!(error.what.contains("`rules` is undefined"));
/// # Ok::<(), tandem_llm::TemplateError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Templates(Environment<'static>);

/// A template that cannot be read or filled in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("template {template}{}: {what}", line.map_or(String::new(), |line| format!(", line {line}")))]
pub struct TemplateError {
    /// Which template.
    pub template: String,
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong; names the variable where one is missing.
    pub what: String,
}

impl TemplateError {
    fn new(template: &str, error: &minijinja::Error) -> Self {
        let what = match error.detail() {
            Some(detail) => format!("{}: {detail}", error.kind()),
            None => error.kind().to_string(),
        };
        Self { template: template.to_owned(), line: error.line(), what }
    }
}

impl Templates {
    /// Reads templates, given as names and texts.
    pub fn new(templates: impl IntoIterator<Item = (&'static str, &'static str)>) -> Result<Self, TemplateError> {
        let mut environment = Environment::empty();
        environment.add_filter("join", filters::join);
        environment.add_filter("length", filters::length);
        environment.add_filter("lower", filters::lower);
        environment.add_filter("trim", filters::trim);
        environment.add_filter("upper", filters::upper);
        environment.add_test("defined", tests::is_defined);
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
        environment.set_syntax(syntax.map_err(|error| TemplateError::new("", &error))?);
        // Errors then name the expression that is undefined; in builds without debug assertions it must be asked for.
        environment.set_debug(true);
        for (name, text) in templates {
            environment.add_template(name, text).map_err(|error| TemplateError::new(name, &error))?;
        }
        Ok(Self(environment))
    }

    /// Fills in a template.
    pub fn render(&self, name: &str, values: impl Serialize) -> Result<String, TemplateError> {
        self.0
            .get_template(name)
            .and_then(|template| template.render(Serde(values)))
            .map_err(|error| TemplateError::new(name, &error))
    }
}
